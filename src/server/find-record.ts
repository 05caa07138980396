import { PlanspanError } from '../error.js'
import { decodeRecord, treeSpans, type DecodedRecord, type DialectName, type TreeSpan } from '../mapping/index.js'
import type { SelectedTrace, SpanReader } from '../store/index.js'
import { readJoined } from './read-joined.js'

/** Selects one of the records that share an id. */
export interface RecordChoice {
  /** The dialect to write the record in; a record that was imported in this dialect is preferred. */
  readonly format?: DialectName
  readonly source?: string
  readonly trace?: string
  /** Whose id it is. @default a plan's, or else a step's */
  readonly kind?: 'plan' | 'step'
}

/** The trace selected for an id, and whether the id is a plan's or a step's. */
export interface Candidate {
  readonly kind: 'plan' | 'step'
  readonly trace: SelectedTrace
}

/**
 * Rebuilds the record of a plan, or of an agent by its step. Throws `not_found`, `store_unreachable`,
 * `schema_mismatch`.
 */
export async function findRecord(reader: SpanReader, id: string, choice: RecordChoice): Promise<DecodedRecord> {
  const { kind, trace } = await findTrace(reader, id, choice)
  const isExact = choice.format === undefined || choice.format === trace.dialect
  const spans = await (isExact ? reader.readTrace(trace.traceId) : readJoined(reader, trace))
  const record = decodeRecord(spans, {
    ...(kind === 'plan' ? { planId: id } : { stepId: id }),
    ...(choice.format === undefined ? {} : { format: choice.format }),
    now: now(),
  })
  if (!record) {
    throw new PlanspanError(
      'not_found',
      `Spans of ${JSON.stringify(id)} are stored (trace ${trace.traceId}), but the span that its record begins with is ` +
        'not. Ask again when it has arrived.',
    )
  }
  return record
}

const now = (): bigint => BigInt(Date.now()) * 1_000_000n

/**
 * The spans behind a record as a tree, in order of their start, including the cycles of its agents that other records
 * of the same source hold. Throws as `findRecord` does.
 */
export async function findSpans(reader: SpanReader, id: string, choice: RecordChoice): Promise<TreeSpan[]> {
  const { trace } = await findTrace(reader, id, choice)
  return treeSpans(await readJoined(reader, trace), { now: now() })
}

/** Selects the trace for a plan's or a step's id. Throws as `findRecord` does. */
export async function findTrace(
  reader: SpanReader,
  id: string,
  { format, source, trace, kind: only }: RecordChoice,
): Promise<Candidate> {
  const options = {
    ...(format === undefined ? {} : { dialect: format }),
    ...(source === undefined ? {} : { source }),
    ...(trace === undefined ? {} : { trace }),
  }
  for (const kind of only ? [only] : (['plan', 'step'] as const)) {
    const found = await reader.selectTrace(id, { kind, ...options })
    if (found) return { kind, trace: found }
  }
  const where = [
    source === undefined ? '' : ` from the source ${JSON.stringify(source)}`,
    trace === undefined ? '' : ` in the trace ${JSON.stringify(trace)}`,
  ].join('')
  throw new PlanspanError(
    'not_found',
    `No ${only ?? 'plan and no step'} ${JSON.stringify(id)}${where} is stored. \`planspan list\` and GET /api/records tell which are.`,
  )
}
