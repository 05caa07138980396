/** Longer ones are asked for by POST, which nothing loads ahead. */
const MAX_ID = 2_000

/**
 * The header by which a browser asks for a plan's outline while it still loads the page: word for word what the
 * page's client then asks for. From the page, `toRoot` leads to where the server is. Undefined where the page's path
 * and query name no plan.
 */
export function preloadOutline(toRoot: string, inPath: string | undefined, query: URLSearchParams): string | undefined {
  const planId = inPath ?? query.get('planId') ?? ''
  const place = ['trace', 'source'].flatMap((name): [string, string][] => {
    const value = query.get(name)
    return value === null ? [] : [[name, value]]
  })
  if (planId === '' || encodeURIComponent(planId).length > MAX_ID) return undefined
  const asked = new URLSearchParams([['planId', planId], ...place, ['fields', 'outline']])
  return `<${toRoot}api/record?${asked.toString()}>; rel=preload; as=fetch; crossorigin`
}
