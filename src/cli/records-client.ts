import { append } from '../append.js'
import { PlanspanError, type PlanspanErrorCode } from '../error.js'
import type {
  PlanJson,
  Problem,
  Readiness,
  RecordPage,
  SpanJson,
  SpanList,
  SpanReading,
  StorageReport,
  TraceReading,
} from '../server/index.js'
// Not imported from the index, which would load the whole server.
import { RECORD_HEADERS } from '../semconv/index.js'

/** A rebuilt record from the server. */
export interface RebuiltRecord {
  readonly bytes: Uint8Array
  readonly verdict: string
  readonly state: string
  readonly dialect: string
  readonly traceId: string
  /** The number of gaps, and descriptions of the first ones. */
  readonly missingCount: number
  readonly missing: readonly string[]
}

/** Query parameters; undefined ones are left out. */
type Parameters = Readonly<Record<string, string | undefined>>

/** Reads from a planspan server. Throws `receiver_unreachable`, `not_found`, `usage` or `store_unreachable`. */
export interface RecordsClient {
  /** Up to `limit` plans, read page by page, and whether there are more. */
  list(parameters: Parameters, limit: number): Promise<{ plans: PlanJson[]; hasMore: boolean }>
  read(planId: string, parameters: Parameters): Promise<RebuiltRecord>
  /** The records of a filtered list, an `ExportLine` a line; an answer that breaks off fails to be read. */
  export(parameters: Parameters): Promise<AsyncIterable<Uint8Array>>
  spans(planId: string, parameters: Parameters): Promise<SpanJson[]>
  /** The stream of a plan's events after the one with an id, until the signal aborts; 204 if there will be no more. */
  events(planId: string, parameters: Parameters, options: EventsOptions): Promise<Response>
  /** What the server makes of each span of a trace. */
  reading(traceId: string): Promise<readonly SpanReading[]>
  readiness(): Promise<Readiness>
  storage(): Promise<StorageReport>
}

export interface EventsOptions {
  readonly lastEventId: string | undefined
  readonly signal: AbortSignal
}

const TIMEOUT_MS = 120_000
const MAX_PAGE = 1000
/** Servers and proxies take some 8 kB of URL. */
const MAX_URL_ID = 2_000

const CODES: Readonly<Record<number, PlanspanErrorCode>> = { 400: 'usage', 404: 'not_found' }

/** A client of the server at an endpoint, a URL without a slash at the end. */
export function createRecordsClient(endpoint: string): RecordsClient {
  const ask = async (path: string, parameters: Parameters = {}, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(`${endpoint}${path}`)
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) url.searchParams.set(name, value)
    }
    try {
      return await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), ...init })
    } catch (cause) {
      throw unreachable(endpoint, cause)
    }
  }
  const get = async (path: string, parameters: Parameters, init?: RequestInit): Promise<Response> => {
    const response = await ask(path, parameters, init)
    if (response.ok) return response
    throw await refusal(endpoint, response)
  }
  /** The JSON of a response, an object with this key. */
  const json = async <T>(response: Response, key: keyof T & string): Promise<T> => {
    const value: unknown = await response.json().catch(() => undefined)
    if (typeof value === 'object' && value !== null && key in value) return value as T
    throw notPlanspan(endpoint, response)
  }
  /** Asks by the id as a parameter: a path cannot hold each, `..` for one. */
  const getOf = async (path: string, planId: string, parameters: Parameters, init: RequestInit = {}) => {
    const asked = { planId, ...parameters }
    if (encodeURIComponent(planId).length <= MAX_URL_ID) return get(path, asked, init)
    const headers = { ...init.headers, 'content-type': 'application/json' }
    return get(path, {}, { ...init, method: 'POST', headers, body: JSON.stringify(asked) })
  }
  const getRecord: typeof getOf = async (...request) => {
    const response = await getOf(...request)
    if (response.headers.has(RECORD_HEADERS.state)) return response
    throw notPlanspan(endpoint, response)
  }
  return {
    async list(parameters, limit) {
      const plans: PlanJson[] = []
      let cursor: string | undefined
      do {
        const pageLimit = String(Math.min(MAX_PAGE, limit - plans.length))
        const response = await get('/api/records', { ...parameters, limit: pageLimit, cursor })
        const page = await json<RecordPage>(response, 'records')
        append(plans, page.records)
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined && plans.length < limit)
      return { plans, hasMore: cursor !== undefined }
    },
    async read(planId, parameters) {
      const response = await getRecord('/api/record', planId, parameters)
      const header = (name: keyof typeof RECORD_HEADERS) => response.headers.get(RECORD_HEADERS[name]) ?? ''
      return {
        bytes: new Uint8Array(await response.arrayBuffer()),
        verdict: header('verdict'),
        state: header('state'),
        dialect: header('dialect'),
        traceId: header('trace'),
        missingCount: Number(header('missing')),
        missing: JSON.parse(header('missingList') || '[]') as string[],
      }
    },
    async export(parameters) {
      // However long it takes.
      const response = await get('/api/export', parameters, { signal: null })
      if (!response.body || response.headers.get('content-type') !== 'application/x-ndjson') {
        throw notPlanspan(endpoint, response)
      }
      return response.body
    },
    async reading(traceId) {
      const response = await get(`/api/traces/${encodeURIComponent(traceId)}/reading`, {})
      return (await json<TraceReading>(response, 'spans')).spans
    },
    async spans(planId, parameters) {
      const response = await getOf('/api/record/spans', planId, parameters)
      return (await json<SpanList>(response, 'spans')).spans
    },
    events(planId, parameters, { lastEventId, signal }) {
      const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
      return getRecord('/api/record/events', planId, parameters, { headers, signal })
    },
    async readiness() {
      return json<Readiness>(await ask('/readyz?layout'), 'planspan')
    },
    async storage() {
      return json<StorageReport>(await get('/api/storage', {}), 'disks')
    },
  }
}

function unreachable(endpoint: string, cause: unknown): PlanspanError {
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const said = reason instanceof Error ? ('code' in reason && reason.code) || reason.message : reason
  return new PlanspanError(
    'receiver_unreachable',
    `No planspan server answers at ${endpoint} (${String(said)}). Start one with \`planspan serve\`, or name another ` +
      'with --endpoint.',
    { cause },
  )
}

async function refusal(endpoint: string, response: Response): Promise<PlanspanError> {
  if (response.headers.get('content-type') !== 'application/problem+json') return notPlanspan(endpoint, response)
  const { detail } = (await response.json()) as Problem
  return new PlanspanError(CODES[response.status] ?? 'store_unreachable', detail)
}

const notPlanspan = (endpoint: string, { status }: Response): PlanspanError =>
  new PlanspanError(
    'receiver_unreachable',
    `Something answers at ${endpoint} (status ${String(status)}), but it is no planspan server. Name one with --endpoint.`,
  )
