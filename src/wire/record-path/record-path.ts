/** Marks a path segment whose id is percent-encoded once more. */
const MARK = '~'

/** Ids that a plain segment cannot hold: clients drop empty and dot segments, proxies decode slashes. */
const NEEDS_MARK = /^$|^\.{1,2}$|^~|[/\\]/

/**
 * Returns the path segment that names a record. It holds any id: the id is percent-encoded. An empty id, `.`, `..`, an
 * id with a slash or backslash, and an id that begins with `~` are percent-encoded twice behind a `~`.
 */
export function recordSegment(id: string): string {
  // A lone surrogate has no UTF-8 form.
  const encoded = encodeURIComponent(id.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))
  return NEEDS_MARK.test(id) ? `${MARK}${encodeURIComponent(encoded)}` : encoded
}

/** Returns the id that a percent-decoded path segment names; undefined if the segment is malformed. */
export function recordIdOf(segment: string): string | undefined {
  if (!segment.startsWith(MARK)) return segment
  try {
    return decodeURIComponent(segment.slice(MARK.length))
  } catch {
    return undefined
  }
}
