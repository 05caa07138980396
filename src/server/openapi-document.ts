import { z } from 'zod'

import { PLANSPAN_VERSION } from '../base/version.js'
import * as wire from '../wire/index.js'
import { SESSION_COOKIE } from './guard/index.js'

type Json = Record<string, unknown>

/** A parameter of the document. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description?: string
  readonly schema: Json
}

export interface OpenApiOperation {
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: Json
  /** How to authenticate on a server with tokens, and the scopes. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Json; readonly headers?: Json }>
  >
}

/** The parts of an OpenAPI 3.1 document that planspan writes. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>
    readonly securitySchemes: Readonly<Record<string, Json>>
  }
}

/** The schemas that the document names and refers to. */
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  Plan: wire.planSchema,
  RecordPage: wire.recordPageSchema,
  Facets: wire.facetsSchema,
  Totals: wire.totalsSchema,
  Comparison: wire.comparisonSchema,
  PlanSets: wire.setsSchema,
  CheckLine: wire.checkLineSchema,
  ExportLine: wire.exportLineSchema,
  Span: wire.spanSchema,
  SpanList: wire.spanListSchema,
  SpanMatches: wire.spanMatchesSchema,
  Structure: wire.structureSchema,
  Outline: wire.outlineSchema,
  Verdict: wire.verdictSchema,
  Faults: wire.faultsSchema,
  Steps: wire.stepsSchema,
  SpanChange: wire.spanChangeSchema,
  TraceReading: wire.traceReadingSchema,
  ImportReport: wire.importReportSchema,
  RefusedImport: wire.refusedImportSchema,
  SqlAnswer: wire.sqlAnswerSchema,
  SpanStorage: wire.storageSchema,
  Session: wire.sessionSchema,
  Health: wire.healthSchema,
  Problem: wire.problemSchema,
}
const registry = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id })

const refTo = (name: string): string => `#/components/schemas/${name}`

/**
 * Returns the HTTP interface as an OpenAPI document, from the declarations of the routes. Later versions may add keys
 * to responses, so only a `closed` document forbids unknown keys.
 */
export function openApiDocument({ closed = false } = {}): OpenApiDocument {
  const { schemas } = z.toJSONSchema(registry, { uri: refTo, io: closed ? 'output' : 'input', override: countedTuple })
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  for (const [name, route] of Object.entries<wire.Route>(wire.ROUTES)) {
    const [method = '', path = ''] = name.split(' ')
    if (route.answers) paths[path] = { ...paths[path], [method.toLowerCase()]: toOperation(path, route) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'planspan',
      version: PLANSPAN_VERSION,
      description:
        'Execution records of plan-driven agents, rebuilt from OpenTelemetry spans. Later versions may add keys to responses.',
    },
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, bare(one)])),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

const SECURITY_SCHEMES = {
  token: { type: 'http', scheme: 'bearer', description: 'A token of `planspan token create`.' },
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'The session of planspan’s own page.' },
}

/** The responses to requests that the guard rejects. */
const REFUSALS = {
  401: { description: 'The token is missing, unknown or expired.', schema: wire.problemSchema },
  403: { description: 'The token lacks the required scope.', schema: wire.problemSchema },
  429: {
    description: 'Too many requests with the token. Retry after Retry-After seconds.',
    schema: wire.problemSchema,
    headers: ['retry-after'],
  },
} as const satisfies wire.Route['answers']

/** Returns the responses of a route on a server with tokens, and how to authenticate. */
function accessTo({ scope: need, answers = {} }: wire.Route) {
  if (need === 'open') return { answers }
  const scope = need === 'brief' ? 'read' : need
  const security = [
    { token: [scope] },
    ...(scope === 'read' ? [{ session: [] }] : []),
    ...(need === 'brief' ? [{}] : []),
  ]
  return { answers: { ...REFUSALS, ...answers }, security }
}

const toOperation = (path: string, route: wire.Route): OpenApiOperation => {
  const { summary = '', query, body } = route
  const { answers, security } = accessTo(route)
  return {
    summary,
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): Parameter => {
        return { name, in: 'path', required: true, schema: { type: 'string' } }
      }),
      ...(query ? parametersOf(query) : []),
    ],
    ...(body === undefined ? {} : { requestBody: bodyOf(body) }),
    ...(security && { security }),
    responses: Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, toResponse(answer)])),
  }
}

/** Writes the length of a tuple as minItems and maxItems: few tools understand `items: false`. */
function countedTuple({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { prefixItems, items } = jsonSchema
  if (prefixItems === undefined || items !== false) return
  delete jsonSchema.items
  jsonSchema.minItems = prefixItems.length
  jsonSchema.maxItems = prefixItems.length
}

function parametersOf(query: z.ZodObject): Parameter[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input' })
  return Object.entries(properties as Record<string, Json>).map(
    ([name, { description, default: without, ...schema }]) => {
      // The server may reject the default of a parameter, which is then required.
      const isRefused = without !== undefined && !z.safeParse(query.shape[name] as z.ZodType, undefined).success
      return {
        name,
        in: 'query',
        required: isRefused || required.includes(name),
        ...(typeof description === 'string' ? { description } : {}),
        schema: { ...schema, ...(without === undefined || isRefused ? {} : { default: without }) },
      }
    },
  )
}

const bodyOf = (body: z.ZodObject | string): Json =>
  typeof body === 'string'
    ? { description: body, required: true, content: { '*/*': {} } }
    : { required: true, content: { 'application/json': { schema: bare(z.toJSONSchema(body, { io: 'input' })) } } }

function toResponse({ description, schema, type, headers = [] }: wire.Answer) {
  const isProblem =
    schema === SCHEMAS['Problem'] || schema === SCHEMAS['RefusedImport'] || isUnion(schema, 'RefusedImport')
  const media = type ?? (isProblem ? 'application/problem+json' : 'application/json')
  const content = schema ? { [media]: { schema: shapeOf(schema) } } : type === undefined ? undefined : { [type]: {} }
  return {
    description,
    ...(content && { content }),
    ...(headers.length === 0
      ? {}
      : { headers: Object.fromEntries(headers.map((name) => [name, { schema: { type: 'string' } }])) }),
  }
}

const isUnion = (schema: z.ZodType | undefined, name: string): boolean =>
  schema instanceof z.ZodUnion && schema.options.some((option) => option === SCHEMAS[name])

/** Returns a reference to a named schema; anyOf for a union. */
function shapeOf(schema: z.ZodType): Json {
  if (schema instanceof z.ZodUnion) return { anyOf: schema.options.map((option) => shapeOf(option as z.ZodType)) }
  return { $ref: refTo(registry.get(schema)?.id ?? '') }
}

/** Removes the keys that only a stand-alone schema has. */
function bare(schema: object): Json {
  const { $schema: _schema, $id: _id, ...rest } = schema as Json
  return rest
}
