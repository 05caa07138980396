/** The page names its script relative to its own path; the server is one folder above it. */
const entry = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? location.href

/** The base path of the server, without a trailing slash; '' unless a proxy serves it below a path. */
export const BASE = new URL('..', entry).pathname.replace(/\/$/, '')

/** The URL of the server. */
export const SERVER = `${location.origin}${BASE}`

/** Returns the URL of a page path, for links. */
export const linkTo = (path: string): string => `${BASE}${path}`

/** Returns the page path of a URL's path; undefined outside the server's base path. */
export const pathIn = (pathname: string): string | undefined =>
  pathname.startsWith(`${BASE}/`) ? pathname.slice(BASE.length) : undefined
