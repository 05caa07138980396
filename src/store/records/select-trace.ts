import { compareGenerations, type Generation } from '../../mapping/index.js'
import { isOver, STATES } from '../../semconv/index.js'
import { querySql, readRows, type QueryTarget } from '../client/query.js'
import { readLinkedTraces } from './linked-traces.js'
import { findLostPlans } from './lost-rows.js'
import { findPlacesOfKeys, findPlaces, inPlaces, type TraceKeyKind, type TracePlace } from './trace-places.js'

export interface SelectTraceOptions {
  /** The kind of the id. @default 'plan' */
  kind?: TraceKeyKind
  /** Only imports of this source; '' selects those without one. */
  source?: string
  /** Only this trace. */
  trace?: string
  /** The preferred dialect; `plan-act` also stands for its serializations such as `plan-act:sse`. */
  dialect?: string
}

export interface SelectedTrace {
  readonly traceId: string
  /** Whether an instrumented agent sent the trace; otherwise it is an imported record. */
  readonly live: boolean
  /** The dialect, source and key of an imported record; '' on a live trace. */
  readonly dialect: string
  readonly source: string
  readonly recordKey: string
  /** Whether the trace was found by its own id only, which is the id of a foreign plan or of a part of it. */
  readonly byTraceId?: true
}

/** The dialect of live plans' records: imports in it are not preferred to a live plan. */
export const LIVE_DIALECT = 'plan-execution'

/** Selects the trace for an id; undefined if no trace has it. */
export async function selectTrace(
  target: QueryTarget,
  id: string,
  options: SelectTraceOptions = {},
): Promise<SelectedTrace | undefined> {
  const { kind = 'plan', source, trace } = options
  const found = await findPlacesOfKeys(target, kind, [id])
  const places = found.filter(({ traceId }) => (trace ?? traceId) === traceId)
  const selected = (await readCandidates(target, places, options)).find(
    (candidate) => source === undefined || (!isLive(candidate) && candidate.source === source),
  )
  if (!selected) return (await traceById(target, id, options)) ?? lostPlan(target, id, options)
  const { traceId, dialect, source: of, recordKey } = selected
  return { traceId, live: isLive(selected), dialect, source: of, recordKey }
}

/** Selects the trace of a plan whose rows are indexed, but whose spans or lookups are lost. */
async function lostPlan(
  target: QueryTarget,
  id: string,
  { kind = 'plan', source, trace }: SelectTraceOptions,
): Promise<SelectedTrace | undefined> {
  if (kind !== 'plan') return undefined
  const plans = await findLostPlans(target, id)
  const lost = plans.find(
    (plan) => (trace ?? plan.traceId) === plan.traceId && (source === undefined || plan.source === source),
  )
  return lost && { ...lost, live: lost.dialect === '' }
}

/** Reads which records traces were imported from, the preferred trace first. Most ids are in one trace. */
async function readCandidates(
  target: QueryTarget,
  places: readonly TracePlace[],
  options: SelectTraceOptions,
): Promise<(TraceRecord & { readonly traceId: string })[]> {
  const [only, ...others] = places
  if (only && others.length === 0) return [{ traceId: only.traceId, ...(await readRecord(target, only)) }]
  return (await readHeads(target, places)).sort(byPreference(options))
}

/**
 * Compares traces with the same id: the preferred dialect first, then live traces before imports. The latest live trace
 * and the deciding import are first.
 */
const byPreference =
  ({ dialect: preferred = '' }: SelectTraceOptions) =>
  (a: TraceHead, b: TraceHead): number =>
    Number(isOf(preferred, b)) - Number(isOf(preferred, a)) ||
    Number(isLive(b)) - Number(isLive(a)) ||
    (isLive(a) ? compare(b.start, a.start) : 0) ||
    compareGenerations(a, b)

const isLive = ({ dialect }: TraceRecord): boolean => dialect === ''

const isOf = (preferred: string, { dialect }: TraceRecord): boolean =>
  dialect === preferred || dialect.startsWith(`${preferred}:`) || (dialect === '' && preferred === LIVE_DIALECT)

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

/** The id of a foreign plan is the id of its trace. A part of the plan has the ids of the trace and of a span. */
const FOREIGN_ID = /^([\da-f]{32})(?:-[\da-f]{16})?$/
export const traceOfForeignId = (id: string): string | undefined => FOREIGN_ID.exec(id)?.[1]

async function traceById(
  target: QueryTarget,
  id: string,
  { kind, source, trace }: SelectTraceOptions,
): Promise<SelectedTrace | undefined> {
  const traceId = traceOfForeignId(id)
  if (traceId === undefined || source !== undefined || (trace ?? traceId) !== traceId) return undefined
  if (kind !== undefined && kind !== 'plan' && kind !== 'step') return undefined
  const isStored = (await findPlaces(target, [traceId])).length > 0
  if (!isStored) return undefined
  await target.indexed?.()
  const first = (await readLinkedTraces(target, [traceId])).get(traceId)?.traceId ?? traceId
  return { traceId: first, live: true, dialect: '', source: '', recordKey: '', byTraceId: true }
}

export interface AgentTracesOptions {
  readonly stepIds: readonly string[]
  readonly dialect: string
  /** The source of the imports; '' for those without one. */
  readonly source: string
}

/**
 * Finds the traces of imported records that contain the agents of some steps: the deciding import of each record,
 * newest first.
 */
export async function findAgentTraces(
  target: QueryTarget,
  { stepIds, dialect, source }: AgentTracesOptions,
): Promise<string[]> {
  const heads = await readHeads(target, await findPlacesOfKeys(target, 'step', stepIds))
  const imports = heads.filter((head) => head.dialect === dialect && head.source === source)
  const byRecord = new Map<string, string>()
  for (const { recordKey, traceId } of imports.sort(compareGenerations)) {
    if (!byRecord.has(recordKey)) byRecord.set(recordKey, traceId)
  }
  return [...byRecord.values()]
}

/** The record that a trace was imported from: its dialect, source and key; '' for a live trace. */
interface TraceRecord {
  readonly dialect: string
  readonly source: string
  readonly recordKey: string
}

/** The properties by which one of several traces with the same id is chosen. */
interface TraceHead extends TraceRecord, Generation {
  /** The earliest start of its spans, Unix nanoseconds. */
  readonly start: bigint
}

interface HeadRow extends Omit<TraceHead, 'start' | 'end' | 'redacted' | 'isOver'> {
  readonly start: string
  readonly end: string
  readonly redacted: 0 | 1
  readonly isOver: 0 | 1
}

const UNENDED = STATES.filter((state) => !isOver(state))

/** Reads the heads of traces from their rows. */
async function readHeads(target: QueryTarget, places: readonly TracePlace[]): Promise<TraceHead[]> {
  if (places.length === 0) return []
  const query = querySql('trace_heads', { database: target.database, in_places: inPlaces(places) })
  const rows = await readRows<HeadRow>(target, query, { unended: UNENDED })
  return rows.map((row) => ({
    ...row,
    start: BigInt(row.start),
    end: BigInt(row.end),
    redacted: row.redacted === 1,
    isOver: row.isOver === 1,
  }))
}

const LIVE: TraceRecord = { dialect: '', source: '', recordKey: '' }

/** Reads which record a trace was imported from. */
async function readRecord(target: QueryTarget, place: TracePlace): Promise<TraceRecord> {
  const query = querySql('record_of_trace', { database: target.database, in_places: inPlaces([place]) })
  const [record] = await readRows<TraceRecord>(target, query)
  return record ?? LIVE
}
