/** Longer ones are asked for by POST, which nothing loads ahead. */
const MAX_ID = 2_000

/**
 * The header by which a browser asks for a plan's outline and what stands on top of it while it still loads the page:
 * word for word what the page's client then asks for. From the page, `toRoot` leads to where the server is. Undefined
 * where the page's path and query name no plan.
 */
export function preloadOutline(toRoot: string, inPath: string | undefined, query: URLSearchParams): string | undefined {
  const planId = inPath ?? query.get('planId') ?? ''
  const place = ['trace', 'source'].flatMap((name): [string, string][] => {
    const value = query.get(name)
    return value === null ? [] : [[name, value]]
  })
  if (planId === '' || encodeURIComponent(planId).length > MAX_ID) return undefined
  return ['top', 'outline']
    .map((fields) => new URLSearchParams([['planId', planId], ...place, ['fields', fields]]).toString())
    .map((asked) => `<${toRoot}api/record?${asked}>; rel=preload; as=fetch; crossorigin`)
    .join(', ')
}
