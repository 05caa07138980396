/**
 * What each layer of src/ may import beside its own files, as in docs/architecture.md. Everything may import
 * src/error.ts and the files of src/base.
 */
export const ARROWS = {
  base: [],
  semconv: [],
  records: ['semconv'],
  mapping: ['records', 'semconv'],
  generate: ['mapping', 'semconv'],
  redaction: ['mapping', 'semconv'],
  otlp: ['redaction', 'semconv'],
  sender: ['otlp', 'redaction', 'semconv'],
  otel: [],
  tracing: ['mapping', 'otel', 'redaction', 'semconv'],
  sdk: ['redaction', 'semconv', 'tracing'],
  clickhouse: [],
  access: [],
  store: ['mapping', 'semconv'],
  indexer: ['mapping', 'semconv', 'store'],
  check: ['mapping', 'semconv'],
  wire: ['access', 'check', 'mapping', 'semconv', 'store'],
  client: ['wire'],
  mcp: ['client', 'semconv', 'wire'],
  server: [
    'access',
    'check',
    'clickhouse',
    'indexer',
    'mapping',
    'mcp',
    'otlp',
    'redaction',
    'semconv',
    'store',
    'wire',
  ],
  cli: [
    'access',
    'check',
    'client',
    'generate',
    'mapping',
    'mcp',
    'otel',
    'records',
    'sdk',
    'semconv',
    'sender',
    'server',
    'wire',
  ],
}

/** The files of src/ that belong to no layer, and what they may import: faces of the package, and the error class. */
export const FACES = { 'error.ts': [], 'index.ts': ['sdk'], 'records.ts': ['mapping', 'records', 'semconv'] }

/** The layer whose files everything may import, each by itself. */
export const BASE = 'base'

/** Layers that are a package of their own, by its name: other layers import the package. */
export const PACKAGES = { '@planspan/sdk': 'sdk' }

/** Layers, and rooms of layers, that run anywhere: they import only types, and code of each other. */
export const SELF_CONTAINED = ['client', 'wire/filters', 'wire/record-path']

/** Layers of which another layer imports only types. */
export const TYPES_ALONE = { wire: ['access', 'store'] }

/** Layers whose rooms are entered through their index by their other rooms, too. */
export const WITH_ROOMS = ['server', 'wire']

/** Layers that take data and return data: no clock, no chance, no environment, no I/O. */
export const PURE = ['semconv', 'records', 'mapping', 'check', 'generate', 'redaction']

/** Node's modules that compute and do nothing else. */
export const COMPUTING_MODULES = ['node:buffer', 'node:crypto', 'node:util', 'node:zlib']

/** Globals that tell the time, draw lots, know the environment or do I/O. */
export const IMPURE_GLOBALS = [
  'process',
  'performance',
  'globalThis',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
]

/** The same among the properties of globals. */
export const IMPURE_PROPERTIES = [
  { object: 'Date', property: 'now' },
  { object: 'Math', property: 'random' },
  { object: 'crypto', property: 'randomUUID' },
  { object: 'crypto', property: 'getRandomValues' },
]
