import { PlanspanError } from '../error.js'
import { unixNanoOf } from '../mapping/index.js'
import { DEFAULT_YEARS, spanTimesOf, type SpanTimes } from '../semconv/index.js'
import { createRecordsClient } from './records-client.js'

/**
 * The times that spans may have where records are sent to: those that the server tells; behind a collector, which tells
 * none, those of a server that is not told otherwise.
 */
export async function askSpanTimes(endpoint: string): Promise<SpanTimes> {
  const told = await toldBy(endpoint)
  const from = unixNanoOf(told?.from ?? '', 'UTC')
  const until = unixNanoOf(told?.until ?? '', 'UTC')
  return from === undefined || until === undefined ? spanTimesOf(DEFAULT_YEARS, Date.now()) : { from, until }
}

async function toldBy(endpoint: string): Promise<{ from: string; until: string } | null | undefined> {
  try {
    return (await createRecordsClient(endpoint).storage()).spanTimes
  } catch (error) {
    if (error instanceof PlanspanError) return undefined
    throw error
  }
}
