import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'

/** The route that answers a request: its method, or ALL, and its path. Undefined for what is not there. */
export function routeOf(c: Context): { readonly method: string; readonly path: string } | undefined {
  return matchedRoutes(c).find(({ path }) => !path.endsWith('*'))
}
