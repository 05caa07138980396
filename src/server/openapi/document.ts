import { z } from 'zod'

import { PLANSPAN_VERSION } from '../../version.js'
import { SESSION_COOKIE } from '../guard/session-cookie.js'
import { planSchema } from '../json/plan-json.js'
import { problemSchema } from '../http/problem.js'
import { type Answer, NAMED, type Operation, OPERATIONS } from './operations.js'
import { operationOf, SCOPE_OF } from './scopes.js'

type Json = Record<string, unknown>

/** A parameter as the document tells of it. */
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
  /** By what a request is let in, where the server asks for tokens, and with which scopes. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Json; readonly headers?: Json }>
  >
}

/** The parts of an OpenAPI 3.1 document that planspan's has. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>
    readonly securitySchemes: Readonly<Record<string, Json>>
  }
}

const SCHEMAS = { ...NAMED, Plan: planSchema }
const registry = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id })

const refTo = (name: string): string => `#/components/schemas/${name}`

/**
 * The HTTP interface as OpenAPI, made of the schemas that the routes check parameters by and state their answers in.
 * An answer may get more keys in a later version, so that only a `closed` document allows none that it does not name.
 */
export function openApiDocument({ closed = false } = {}): OpenApiDocument {
  const { schemas } = z.toJSONSchema(registry, { uri: refTo, io: closed ? 'output' : 'input', override: countedTuple })
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  for (const operation of OPERATIONS) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: toOperation(operation) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'planspan',
      version: PLANSPAN_VERSION,
      description:
        'Execution records of plan-driven agents, rebuilt from OpenTelemetry spans. Answers may get more keys.',
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
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'Of planspan’s own page.' },
}

/** What a request that needs a scope may be answered with before anything is asked. */
const REFUSALS = {
  401: { description: 'No token was shown that is known and has not expired.', schema: problemSchema },
  403: { description: 'The token does not have the scope that this needs.', schema: problemSchema },
  429: {
    description: 'There are too many requests of the token. Ask again after Retry-After seconds.',
    schema: problemSchema,
    headers: ['retry-after'],
  },
} as const satisfies Operation['answers']

/** Where the server asks for tokens. */
function accessTo({ method, path, answers }: Operation) {
  const need = SCOPE_OF[operationOf(method.toUpperCase(), path)]
  if (need === undefined || need === 'open') return { answers }
  const scope = need === 'brief' ? 'read' : need
  const security = [
    { token: [scope] },
    ...(scope === 'read' ? [{ session: [] }] : []),
    ...(need === 'brief' ? [{}] : []),
  ]
  return { answers: { ...REFUSALS, ...answers }, security }
}

const toOperation = (operation: Operation): OpenApiOperation => {
  const { path, summary, query, body } = operation
  const { answers, security } = accessTo(operation)
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

/** Where a list ends by its length: few programs that read documents know `items: false`, which says the same. */
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
      // What stands for a parameter that is left out may be what the server refuses.
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

function toResponse({ description, schema, type, headers = [] }: Answer) {
  const isProblem = schema === NAMED['Problem'] || schema === NAMED['RefusedImport'] || isUnion(schema, 'RefusedImport')
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
  schema instanceof z.ZodUnion && schema.options.some((option) => option === NAMED[name])

/** A schema by its name; several, of which one holds, by theirs. */
function shapeOf(schema: z.ZodType): Json {
  if (schema instanceof z.ZodUnion) return { anyOf: schema.options.map((option) => shapeOf(option as z.ZodType)) }
  return { $ref: refTo(registry.get(schema)?.id ?? '') }
}

/** Without what says where a schema stands by itself. */
function bare(schema: object): Json {
  const { $schema: _schema, $id: _id, ...rest } = schema as Json
  return rest
}
