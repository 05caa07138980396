import { createHash } from 'node:crypto'
import { ATTR, OPERATIONS, PENDING, type Role, type StoredSpan } from '../../src/semconv/index.js'

/** The fields of a sent live span; times are seconds after the test's epoch. */
export interface LiveRow {
  /** Any name; the span's id is a hash of it. */
  readonly id: string
  readonly role: Role
  readonly parent?: string
  readonly planId?: string
  readonly rootId?: string
  readonly start?: number
  readonly end?: number
  readonly seq?: number
  readonly error?: boolean
  readonly attributes?: Readonly<Record<string, string>>
  readonly events?: readonly {
    readonly name: string
    readonly time: number
    readonly attributes: Readonly<Record<string, string>>
  }[]
}

export const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const EPOCH = 1_772_625_600

export const spanIdOf = (name: string): string =>
  name === '' ? '' : createHash('sha256').update(name).digest('hex').slice(0, 16)

export const at = (seconds: number): bigint => BigInt(Math.round((EPOCH + seconds) * 1000)) * 1_000_000n

/** The row of an ended span. */
export function finalRow(row: LiveRow): StoredSpan {
  const { id, role, parent = '', planId = 'p', rootId = planId, start = 0, end = start + 1, error = false } = row
  return {
    traceId: TRACE_ID,
    spanId: spanIdOf(id),
    parentSpanId: spanIdOf(parent),
    name: `${OPERATIONS[role]} ${id}`,
    kind: role === 'llm' ? 'Client' : 'Internal',
    startTimeUnixNano: at(start),
    endTimeUnixNano: at(end),
    statusCode: error ? 'ERROR' : 'UNSET',
    statusMessage: '',
    attributes: {
      [ATTR.spanKind]: role,
      [ATTR.planId]: planId,
      [ATTR.planRootId]: rootId,
      [ATTR.seq]: String(row.seq ?? 0),
      ...row.attributes,
    },
    events: (row.events ?? []).map(({ time, ...event }) => ({ ...event, timeUnixNano: at(time) })),
    links: [],
    serviceName: 'agent',
    scopeName: 'planspan',
    resourceAttributes: {},
  }
}

/** The row of a snapshot taken at the end. */
export function snapshotRow(row: LiveRow, snapshot: number): StoredSpan {
  const final = finalRow(row)
  return {
    ...final,
    spanId: spanIdOf(`${row.id}/${snapshot}`),
    parentSpanId: spanIdOf(row.id),
    attributes: {
      ...final.attributes,
      [ATTR.spanState]: PENDING,
      [ATTR.pendingSpanId]: spanIdOf(row.id),
      [ATTR.pendingParentSpanId]: spanIdOf(row.parent ?? ''),
      [ATTR.snapshotSeq]: String(snapshot),
    },
  }
}
