import { type Client, ClientError } from '../../client/index.js'
import { unixNanoOf } from '../../mapping/index.js'
import { DEFAULT_YEARS, spanTimesOf, type SpanTimes } from '../../semconv/index.js'

/**
 * The times that spans may have where records are sent to: those that the server tells; behind a collector, which tells
 * none, those of a server that is not told otherwise.
 */
export async function askSpanTimes(client: Pick<Client, 'storage'>): Promise<SpanTimes> {
  const told = await toldBy(client)
  const from = unixNanoOf(told?.from ?? '', 'UTC')
  const until = unixNanoOf(told?.until ?? '', 'UTC')
  return from === undefined || until === undefined ? spanTimesOf(DEFAULT_YEARS, Date.now()) : { from, until }
}

async function toldBy(client: Pick<Client, 'storage'>): Promise<{ from: string; until: string } | null | undefined> {
  try {
    return (await client.storage()).spanTimes
  } catch (error) {
    if (error instanceof ClientError) return undefined
    throw error
  }
}
