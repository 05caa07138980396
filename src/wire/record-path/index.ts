/** Marks a path segment that holds an id in base64url. */
const MARK = '~'

/** Ids that a plain segment cannot hold: clients drop empty and dot segments, proxies decode slashes. */
const NEEDS_MARK = /^\.{0,2}$|^~|[/\\]/

/** The length from which the shorter form is chosen: ids in other scripts than Latin are shorter in base64url. */
const LONG = 1_000

/**
 * Returns the path segment that names a record. It holds any id: the id is percent-encoded. An empty id, `.`, `..`, an
 * id with a slash or backslash, an id that begins with `~`, and a long id that gets shorter are written in base64url
 * behind a `~`.
 */
export function recordSegment(id: string): string {
  // A lone surrogate has no UTF-8 form.
  const encoded = encodeURIComponent(id.toWellFormed())
  const marked = `${MARK}${toBase64Url(id)}`
  return NEEDS_MARK.test(id) || (encoded.length > LONG && marked.length < encoded.length) ? marked : encoded
}

/** Returns the id that a percent-decoded path segment names; undefined if the segment is malformed. */
export function recordIdOf(segment: string): string | undefined {
  if (!segment.startsWith(MARK)) return segment
  try {
    return fromBase64Url(segment.slice(MARK.length))
  } catch {
    return undefined
  }
}

function toBase64Url(text: string): string {
  let bytes = ''
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte)
  return btoa(bytes).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')
}

function fromBase64Url(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const utf8 = Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(utf8)
}
