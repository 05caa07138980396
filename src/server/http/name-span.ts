import type { MiddlewareHandler } from 'hono'

import { activeOwnSpan } from '../../own-spans.js'
import { operationOf } from '../openapi/scopes.js'
import { routeOf } from './route-of.js'

/** Names the span of a request by its route, which tells what was asked for without saying of what. */
export const nameSpan: MiddlewareHandler = async (c, next) => {
  await next()
  const span = activeOwnSpan()
  const route = span && routeOf(c)
  if (!route) return
  const { method } = c.req
  const operation = operationOf(method, route.path)
  span.updateName(operation)
  span.setAttribute('http.route', operation.slice(method.length + 1))
}
