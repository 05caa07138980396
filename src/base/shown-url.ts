/** A URL for people to read: its host and user, never its password, wherever in a broken URL that may stand. */
export function shownUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed?.host || isMisread(parsed)) return url.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1…@')
  const { protocol, username, host } = parsed
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}`
}

/** Whether a user or password with an unencoded `/`, `?` or `#` was taken for a host, and what follows for a path. */
export const isMisread = ({ pathname, search, hash }: URL): boolean => `${pathname}${search}${hash}`.includes('@')
