/** Formats a URL for messages: its host and user, without the password, even if the URL is malformed. */
export function shownUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed?.host || isMisread(parsed)) return url.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1…@')
  const { protocol, username, host } = parsed
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}`
}

/** Whether the user or password contains an unencoded `/`, `?` or `#`, so that its end was parsed as the path. */
export const isMisread = ({ pathname, search, hash }: URL): boolean => `${pathname}${search}${hash}`.includes('@')
