import { Hono } from 'hono'

import { addRoute } from '../http/index.js'
import { docsPage, PAGE_POLICY } from './docs-page.js'
import { openApiDocument } from './document.js'

/** `/openapi.json` and, for people, `/docs`. Both are created on the first request. */
export function openApiRoute(): Hono {
  const app = new Hono()
  let made: { json: string; page: string } | undefined
  const make = (): { json: string; page: string } => {
    const document = openApiDocument()
    return (made ??= { json: JSON.stringify(document), page: docsPage(document) })
  }
  addRoute(app, 'GET /openapi.json', (c) => c.body((made ?? make()).json, 200, { 'content-type': 'application/json' }))
  addRoute(app, 'GET /docs', (c) =>
    c.body((made ?? make()).page, 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PAGE_POLICY,
    }),
  )
  return app
}
