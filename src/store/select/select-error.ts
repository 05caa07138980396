import { ClickHouseError } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { isDenied, isOwnFailure, storeError } from '../client/store-error.js'

/** The limits of a query: its time and its memory. */
export const SECONDS = 10
export const MEMORY_BYTES = 1 << 30

/** ClickHouse's error codes TIMEOUT_EXCEEDED, TOO_SLOW, and MEMORY_LIMIT_EXCEEDED. */
const TOO_LONG = new Set(['159', '160'])
const TOO_MUCH = '241'

const LESS = 'Filter by Timestamp or TraceId, select fewer columns, or aggregate.'

/** Converts the error of a person's query. Most errors are mistakes in the query. */
export function selectError(error: unknown, target: { url: string; database: string }): PlanspanError {
  if (!(error instanceof ClickHouseError) || isOwnFailure(error)) return storeError(error, target)
  const said = error.message.split('\n', 1)[0]?.slice(0, 500).trim() ?? ''
  const isForbidden: boolean = isDenied(error)
  if (isForbidden) {
    return new PlanspanError('access_denied', `Only reading planspan’s tables and views is allowed: ${said}`, {
      cause: error,
    })
  }
  if (TOO_LONG.has(error.code)) {
    const detail = `The query took longer than ${String(SECONDS)} seconds and was canceled. ${LESS}`
    return new PlanspanError('usage', detail, { cause: error })
  }
  if (error.code === TOO_MUCH) {
    const detail = `The query needs more than ${String(MEMORY_BYTES >> 30)} GiB of memory, or more than ClickHouse has left. ${LESS}`
    return new PlanspanError('usage', detail, { cause: error })
  }
  return new PlanspanError('usage', `ClickHouse rejects the query: ${said}`, { cause: error })
}
