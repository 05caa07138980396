import type { Context } from 'hono'

import { PlanspanError } from '../../error.js'
import { isDialectName, type ChatUnit, type WrittenFormat } from '../../mapping/index.js'
import { type SpanReader, unixNanoNow } from '../../store/index.js'
import type { FaultsPage } from '../json/index.js'
import type {
  Body,
  Candidate,
  OnlyRecordTask,
  Rebuilder,
  RebuiltEvents,
  RebuiltRecord,
  RecordTask,
  ResultOf,
  TaskOf,
} from '../rebuild/index.js'

/** Finds records, and rebuilds them from their rows. */
export interface Records {
  readonly reader: SpanReader
  readonly rebuilder: Rebuilder
}

/** Returns the signal that aborts when a request's client disconnects. */
export type Gone = () => AbortSignal
export const goneOf =
  (c: Context): Gone =>
  () =>
    c.req.raw.signal

/** Selects one of the records that share an id. */
export interface RecordChoice {
  /** The format to write the record in; a record that was imported in this dialect is preferred. */
  readonly format?: WrittenFormat
  /** The unit of a line of `chat`. */
  readonly per?: ChatUnit
  readonly source?: string
  readonly trace?: string
  /** Whether the id identifies a plan or a step. @default a plan, or else a step */
  readonly kind?: 'plan' | 'step'
}

/**
 * Rebuilds the record of a plan, or of an agent by its step. Throws `not_found`, `store_unreachable`,
 * `schema_mismatch`, `store_busy`, `record_too_large`.
 */
export const findRecord = (records: Records, id: string, choice: RecordChoice, gone: Gone): Promise<RebuiltRecord> =>
  rebuild('record', records, { id, choice }, gone)

/** The JSON of the verdict on a record, with what is missing. Throws as `findRecord` does. */
export const findVerdict = (records: Records, id: string, choice: RecordChoice, gone: Gone): Promise<Body> =>
  rebuild('gaps', records, { id, choice }, gone)

async function rebuild<Name extends 'record' | 'gaps'>(
  name: Name,
  { reader, rebuilder }: Records,
  { id, choice }: { readonly id: string; readonly choice: RecordChoice },
  gone: Gone,
): Promise<NonNullable<ResultOf<Name>>> {
  const make = (task: RecordTask | OnlyRecordTask) => rebuilder.run(name, task as TaskOf<Name>, gone)
  const only = mayBeOnly(choice) ? await make({ onlyTraceOf: id, options: optionsOf('plan', id, choice) }) : undefined
  if (only) return only
  const found = await findTrace(reader, id, choice)
  const run = (candidate: Candidate) => make(recordTask(choice, candidate))
  const rebuilt = await run(found)
  if (rebuilt || !mayBeStep(found)) return rebuilt ?? notYet(id, found)
  // In traces of other instrumentations, a sub-plan and an agent can have the same id.
  return (await run({ ...found, kind: 'step' })) ?? notYet(id, found)
}

/** Most plans are in one trace, which is found and read in one query if nothing else is needed. */
const mayBeOnly = ({ kind, format, source, trace }: RecordChoice): boolean =>
  kind !== 'step' && format === undefined && source === undefined && trace === undefined

const mayBeStep = ({ kind, trace }: Candidate): boolean => kind === 'plan' && trace.byTraceId === true

/** The events of a record after the last event that the client has seen. Throws as `findRecord` does. */
export async function findEvents(
  { rebuilder }: Records,
  id: string,
  { found, choice, after }: { found: Candidate; choice: RecordChoice; after: string | undefined },
  gone: Gone,
): Promise<RebuiltEvents> {
  return (await rebuilder.run('events', { ...recordTask(choice, found), after }, gone)) ?? notYet(id, found)
}

/**
 * The JSON of the spans behind a record as a tree, in order of their start, including the cycles of its agents that
 * other records of the same source hold. Throws as `findRecord` does.
 */
export async function findSpans({ reader, rebuilder }: Records, id: string, choice: RecordChoice, gone: Gone) {
  const { trace } = await findTrace(reader, id, choice)
  return rebuilder.run('spans', { trace, now: unixNanoNow() }, gone)
}

/** The JSON of the tree of a record's spans, without payloads. Throws as `findRecord` does. */
export async function findStructure({ reader, rebuilder }: Records, id: string, choice: RecordChoice, gone: Gone) {
  const [{ trace }, prices] = await Promise.all([findTrace(reader, id, choice), reader.modelPrices()])
  return rebuilder.run('structure', { trace, now: unixNanoNow(), prices }, gone)
}

/** The same with the steps of the plans behind the record. Throws as `findRecord` does. */
export async function findOutline({ reader, rebuilder }: Records, id: string, choice: RecordChoice, gone: Gone) {
  const [{ trace }, prices] = await Promise.all([findTrace(reader, id, choice), reader.modelPrices()])
  return rebuilder.run('outline', { trace, now: unixNanoNow(), prices }, gone)
}

/** The JSON of the top spans of a long trace; without spans for other traces. Throws as `findRecord` does. */
export async function findTop({ reader, rebuilder }: Records, id: string, choice: RecordChoice, gone: Gone) {
  const { trace } = await findTrace(reader, id, choice)
  return rebuilder.run('top', { trace, now: unixNanoNow() }, gone)
}

/**
 * The JSON of the faults behind a record: a page of the failures, unsafe actions and waits. Throws as `findRecord`
 * does.
 */
export async function findFaults(
  { reader, rebuilder }: Records,
  id: string,
  { choice, page }: { choice: RecordChoice; page: FaultsPage },
  gone: Gone,
) {
  const { trace } = await findTrace(reader, id, choice)
  return rebuilder.run('faults', { trace, now: unixNanoNow(), page }, gone)
}

/** The JSON of the spans behind a record that contain a text. Throws as `findRecord` does. */
export async function findMatches(
  { reader, rebuilder }: Records,
  id: string,
  { choice, text }: { choice: RecordChoice; text: string },
  gone: Gone,
) {
  const { trace } = await findTrace(reader, id, choice)
  return rebuilder.run('matches', { trace, now: unixNanoNow(), text }, gone)
}

/** The JSON of the steps of the plans behind a record, with their agents. Throws as `findRecord` does. */
export async function findSteps({ reader, rebuilder }: Records, id: string, choice: RecordChoice, gone: Gone) {
  const { trace } = await findTrace(reader, id, choice)
  return rebuilder.run('steps', { trace, now: unixNanoNow() }, gone)
}

/** The JSON of one of the spans behind a record. Throws as `findRecord` does. */
export async function findSpan(
  { reader, rebuilder }: Records,
  id: string,
  { choice, spanId }: { choice: RecordChoice; spanId: string },
  gone: Gone,
) {
  const { trace } = await findTrace(reader, id, choice)
  const found = await rebuilder.run('span', { trace, now: unixNanoNow(), spanId }, gone)
  if (found) return found
  throw new PlanspanError('not_found', `${JSON.stringify(id)} has no span ${spanId}. Its spans: …/spans.`)
}

const recordTask = (choice: RecordChoice, { kind, trace, id }: Candidate): RecordTask => ({
  trace,
  joined: choice.format !== undefined && choice.format !== trace.dialect,
  options: optionsOf(kind, id, choice),
})

const optionsOf = (kind: Candidate['kind'], id: string, { format, per }: RecordChoice): RecordTask['options'] => ({
  ...(kind === 'plan' ? { planId: id } : { stepId: id }),
  ...(format === undefined ? {} : { format }),
  ...(per === undefined ? {} : { chatUnit: per }),
  now: unixNanoNow(),
})

const TRACE_ID = /^[\da-f]{32}$/

/** Throws `not_found` if spans of an id are stored, but not the first span of its record. */
export function notYet(id: string, { trace }: Candidate): never {
  if (trace.byTraceId) {
    throw new PlanspanError(
      'not_found',
      `The trace ${trace.traceId} is stored, but holds no plan or step ${JSON.stringify(id)}: none of its spans is of an ` +
        `agent, or planspan made it and its plans have ids of their own.`,
    )
  }
  throw new PlanspanError(
    'not_found',
    `Spans of ${JSON.stringify(id)} are stored (trace ${trace.traceId}), but the span that its record begins with is ` +
      'not. Ask again when it has arrived.',
  )
}

/** Selects the trace for a plan's or a step's id. Throws as `findRecord` does. */
export async function findTrace(
  reader: SpanReader,
  id: string,
  { format, source, trace, kind: only }: RecordChoice,
): Promise<Candidate> {
  const options = {
    ...(isDialectName(format) ? { dialect: format } : {}),
    ...(source === undefined ? {} : { source }),
    ...(trace === undefined ? {} : { trace }),
  }
  for (const kind of only ? [only] : (['plan', 'step'] as const)) {
    const found = await reader.selectTrace(id, { kind, ...options })
    // A trace in which a plan goes on finds that plan.
    if (found) return { kind, trace: found, id: found.byTraceId && TRACE_ID.test(id) ? found.traceId : id }
  }
  const where = [
    source === undefined ? '' : ` from the source ${JSON.stringify(source)}`,
    trace === undefined ? '' : ` in the trace ${JSON.stringify(trace)}`,
  ].join('')
  throw new PlanspanError(
    'not_found',
    `No ${only ?? 'plan and no step'} ${JSON.stringify(id)}${where} is stored. \`planspan list\` and GET /api/records list the stored plans.`,
  )
}
