import type { Scope } from '../../access/index.js'

/** What a request needs: a scope; nothing; or nothing for a short answer, and the scope read for all of it. */
export type Need = Scope | 'open' | 'brief'

/** What each operation needs where the server asks for tokens. ALL stands for the methods that have no line. */
export const SCOPE_OF: Readonly<Record<string, Need>> = {
  'POST /v1/traces': 'ingest',
  'ALL /v1/traces': 'ingest',
  'POST /v1/logs': 'ingest',
  'POST /v1/metrics': 'ingest',
  'POST /api/records': 'ingest',

  'GET /api/records': 'read',
  'GET /api/facets': 'read',
  'GET /api/events': 'read',
  'GET /api/export': 'read',
  'GET /api/views/{view}': 'read',
  'GET /api/compare': 'read',
  'GET /api/compare/sets': 'read',
  'GET /api/records/{planId}': 'read',
  'GET /api/records/{planId}/spans': 'read',
  'GET /api/records/{planId}/spans/{spanId}': 'read',
  'GET /api/records/{planId}/spans/events': 'read',
  'GET /api/records/{planId}/spans/matches': 'read',
  'GET /api/records/{planId}/faults': 'read',
  'GET /api/records/{planId}/steps': 'read',
  'GET /api/records/{planId}/events': 'read',
  'GET /api/record': 'read',
  'POST /api/record': 'read',
  'GET /api/record/spans': 'read',
  'POST /api/record/spans': 'read',
  'GET /api/record/spans/events': 'read',
  'POST /api/record/spans/events': 'read',
  'GET /api/record/spans/matches': 'read',
  'POST /api/record/spans/matches': 'read',
  'GET /api/record/steps': 'read',
  'POST /api/record/steps': 'read',
  'GET /api/record/faults': 'read',
  'POST /api/record/faults': 'read',
  'GET /api/record/events': 'read',
  'POST /api/record/events': 'read',
  'GET /api/traces/{traceId}/reading': 'read',
  'GET /api/executor/details/{planId}': 'read',
  'GET /api/executor/agent-execution/{stepId}': 'read',
  'POST /api/sql': 'read',
  'ALL /mcp': 'read',
  'GET /api/storage': 'read',
  'GET /metrics': 'read',
  'GET /openapi.json': 'read',
  'GET /docs': 'read',

  'DELETE /api/records/{planId}': 'delete',
  'DELETE /api/record': 'delete',
  // Which deletes nothing: who asks for it has to have the right to nonetheless.
  'DELETE /api/executor/details/{planId}': 'delete',

  // A token is shown in the request for a session itself.
  'GET /api/session': 'read',
  'POST /api/session': 'open',
  'DELETE /api/session': 'open',

  // The page is the same for everybody, and holds nothing that is stored.
  'GET /': 'open',
  'GET /plans': 'open',
  'GET /plans/{planId}': 'open',
  'GET /compare': 'open',
  'GET /assets/{name}': 'open',

  // For probes, which have no token.
  'GET /healthz': 'open',
  'GET /readyz': 'brief',
}

/** What all calls of each gRPC port need. */
export const GRPC_SCOPES = { otlp: 'ingest', jaeger: 'read' } as const satisfies Record<string, Scope>

/** A route as the table names it. */
export const operationOf = (method: string, path: string): string =>
  `${method} ${path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, '{$1}')}`
