import type { PlanEnd } from '../../mapping/index.js'
import { dateTime, type LinkRowValues, type WrittenRow, writtenRow } from '../../store/index.js'

/** Returns the row of an end of a plan whose first trace is `traceId`. */
export function linkRow(
  { traceId: endTraceId, side, key, isConversation, time }: PlanEnd,
  traceId: string,
): WrittenRow {
  const row: Omit<LinkRowValues, 'Version' | 'Gone'> = {
    Timestamp: dateTime(time),
    TraceId: traceId,
    EndTraceId: endTraceId,
    Side: side,
    Key: key,
    InConversation: isConversation,
  }
  return writtenRow({ table: 'links', traceId, time, rest: [key, side, endTraceId] }, row)
}
