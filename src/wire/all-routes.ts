import type { Scope } from '../access/index.js'
import { CHECK_ROUTES } from './check-routes.js'
import { COMPARISON_ROUTES } from './comparison-routes.js'
import { EXPORT_ROUTES, IMPORT_ROUTES } from './transfer-routes.js'
import { HEALTH_ROUTES, SESSION_ROUTES, STORE_ROUTES } from './admin-routes.js'
import { LIST_ROUTES, SQL_ROUTES, SETS_ROUTES } from './list-routes.js'
import { RECORD_ROUTES } from './record-routes.js'
import type { Route, RouteTable } from './route-table.js'

/** The OTLP interface. */
const OTLP_ROUTES = {
  'POST /v1/traces': { scope: 'ingest' },
  'ALL /v1/traces': { scope: 'ingest' },
  'POST /v1/logs': { scope: 'ingest' },
  'ALL /v1/logs': { scope: 'ingest' },
  'POST /v1/metrics': { scope: 'ingest' },
  'ALL /v1/metrics': { scope: 'ingest' },
} as const satisfies RouteTable

/** Lynxe's interface. */
const LYNXE_ROUTES = {
  'GET /api/executor/details/{planId}': { scope: 'read' },
  // Deletes nothing, but requires the scope delete.
  'DELETE /api/executor/details/{planId}': { scope: 'delete' },
  'GET /api/executor/agent-execution/{stepId}': { scope: 'read' },
} as const satisfies RouteTable

/** The page. It is the same for all users and contains no stored data. */
const PAGE_ROUTES = {
  'GET /': { scope: 'open' },
  'GET /plans': { scope: 'open' },
  'GET /plans/{id}': { scope: 'open' },
  'GET /compare': { scope: 'open' },
  'GET /assets/{name}': { scope: 'open' },
} as const satisfies RouteTable

const OTHER_ROUTES = {
  'ALL /mcp': { scope: 'read' },
  'GET /metrics': {
    scope: 'read',
    client: ['metrics'],
    summary: 'Returns metrics of the server in Prometheus’s format, or in OpenMetrics if the request accepts it.',
    answers: { 200: { description: 'The metrics.', type: 'text/plain' } },
  },
  'GET /openapi.json': { scope: 'read' },
  'GET /docs': { scope: 'read' },
} as const satisfies RouteTable

/** All routes of the HTTP interface. */
export const ROUTES = {
  ...PAGE_ROUTES,
  ...OTLP_ROUTES,
  ...LIST_ROUTES,
  ...IMPORT_ROUTES,
  ...RECORD_ROUTES,
  ...COMPARISON_ROUTES,
  ...SETS_ROUTES,
  ...EXPORT_ROUTES,
  ...CHECK_ROUTES,
  ...SQL_ROUTES,
  ...STORE_ROUTES,
  ...SESSION_ROUTES,
  ...LYNXE_ROUTES,
  ...HEALTH_ROUTES,
  ...OTHER_ROUTES,
} as const satisfies RouteTable

/** The method and path of a route. */
export type RouteName = keyof typeof ROUTES

/** The JSON of a route's response with the status 200. */
export type AnswerOf<Name extends RouteName> = (typeof ROUTES)[Name] extends {
  readonly answers: { readonly 200: { readonly schema: { readonly _zod: { readonly output: infer Output } } } }
}
  ? Output
  : never

/** Returns the declaration of a route; undefined for an unknown one. */
export const routeNamed = (name: string): Route | undefined => (ROUTES as Readonly<Record<string, Route>>)[name]

/** The scope that all calls of each gRPC port need. */
export const GRPC_SCOPES = { otlp: 'ingest', jaeger: 'read' } as const satisfies Record<string, Scope>

/** Lists all paths with their methods, such as `GET, POST /api/records`. */
export function routeList(): string[] {
  const methods = new Map<string, string[]>()
  for (const name of Object.keys(ROUTES)) {
    const [method = '', path = ''] = name.split(' ')
    methods.set(path, [...(methods.get(path) ?? []), ...(method === 'ALL' ? [] : [method])])
  }
  return [...methods].map(([path, known]) => `${known.join(', ') || 'POST'} ${path}`)
}
