import type { Context, Handler, Hono, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'

import { activeOwnSpan } from '../../base/own-spans.js'
import type { RouteName } from '../../wire/index.js'

/** Adds the handlers of a declared route to an app. */
export function addRoute(app: Hono, name: RouteName, ...handlers: (Handler | MiddlewareHandler)[]): void {
  const [method = ''] = name.split(' ', 1)
  for (const handler of handlers) {
    if (method === 'ALL') app.all(honoPath(name), handler)
    else app.on(method, honoPath(name), handler)
  }
}

/** Returns the path of a declared route as Hono writes it. `pattern` is what a parameter matches. @default no slash */
export const honoPath = (name: RouteName, pattern = ''): string =>
  name.slice(name.indexOf(' ') + 1).replaceAll(/\{(\w+)\}/g, `:$1${pattern}`)

/** Returns a decoded parameter of a request's path. */
export const pathParameter = (c: Context, name: string): string => c.req.param(name) ?? ''

/** Returns the name of the route that answers a request, with ALL for any method; undefined without a route. */
export function routeNameOf(c: Context): string | undefined {
  const route = matchedRoutes(c).find(({ path }) => !path.endsWith('*'))
  return route && nameOf(route)
}

/** Returns the name of one of Hono's routes. */
export const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, '{$1}')}`

/** Names the span of a request by its route, which contains no values of the request. */
export const nameSpan: MiddlewareHandler = async (c, next) => {
  await next()
  const span = activeOwnSpan()
  const name = span && routeNameOf(c)
  if (name === undefined) return
  const path = name.slice(name.indexOf(' ') + 1)
  span?.updateName(`${c.req.method} ${path}`)
  span?.setAttribute('http.route', path)
}
