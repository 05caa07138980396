import type { ExportLine } from '../server/index.js'
import { brokenOff, notPlanspan } from './error.js'
import { lines, pieces } from './lines.js'
import type { ExportQuery } from './query.js'
import type { RequestOptions, Transport } from './transport.js'

const WHAT = 'The export'

/** An export as it comes, in pieces. Throws where it breaks off, and at once where there is none. */
export async function exportPieces(
  transport: Transport,
  query: ExportQuery,
  { signal }: RequestOptions,
): Promise<AsyncGenerator<Uint8Array, void, undefined>> {
  const { endpoint } = transport
  const response = await transport.get('/api/export', { query, signal, untimed: true })
  if (response.headers.get('content-type') !== 'application/x-ndjson') {
    await response.body?.cancel()
    throw notPlanspan(endpoint, response.status)
  }
  return (async function* () {
    try {
      yield* pieces(response.body, { signal })
    } catch (error) {
      throw signal?.aborted ? error : brokenOff(endpoint, WHAT, error)
    }
  })()
}

/** The lines of an export. Throws where it breaks off. */
export async function* exportLines(
  transport: Transport,
  query: ExportQuery,
  options: RequestOptions,
): AsyncGenerator<ExportLine, void, undefined> {
  const read = lines(await exportPieces(transport, query, options))
  try {
    for (;;) {
      const { done, value } = await read.next()
      if (!done) yield JSON.parse(value) as ExportLine
      else if (value === '') return
      else throw brokenOff(transport.endpoint, WHAT)
    }
  } finally {
    await read.return('')
  }
}
