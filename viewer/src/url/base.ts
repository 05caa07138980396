/** The page names its script relative to its own path; the server is one folder above it. */
const entry = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? location.href

/** The path below which the server is reached, without a slash at its end; '' unless a proxy has it below one. */
export const BASE = new URL('..', entry).pathname.replace(/\/$/, '')

/** The URL of the server. */
export const SERVER = `${location.origin}${BASE}`

/** The address of a path of the page, for links. */
export const linkTo = (path: string): string => `${BASE}${path}`

/** The path of the page that an address is of; undefined for one elsewhere. */
export const pathIn = (pathname: string): string | undefined =>
  pathname.startsWith(`${BASE}/`) ? pathname.slice(BASE.length) : undefined
