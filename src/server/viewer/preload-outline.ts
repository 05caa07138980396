import { recordIdOf, recordSegment } from '../../wire/record-path/index.js'

/** A header of this length passes all proxies. */
const MAX_SEGMENT = 2_000

/**
 * Returns the header that makes a browser request a plan's outline while it still loads the page, exactly as the page's
 * client does later; undefined for a page without a plan. `toRoot` leads from the page to the root of the server.
 */
export function preloadOutline(
  toRoot: string,
  segment: string | undefined,
  query: URLSearchParams,
): string | undefined {
  const id = segment === undefined ? undefined : recordIdOf(segment)
  if (id === undefined) return undefined
  const path = recordSegment(id)
  if (path.length > MAX_SEGMENT) return undefined
  const place = ['trace', 'source'].flatMap((name): [string, string][] => {
    const value = query.get(name)
    return value === null ? [] : [[name, value]]
  })
  return ['top', 'outline']
    .map((fields) => new URLSearchParams([...place, ['fields', fields]]).toString())
    .map((search) => `<${toRoot}api/records/${path}?${search}>; rel=preload; as=fetch; crossorigin`)
    .join(', ')
}
