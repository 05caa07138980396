import { brokenOff, notPlanspan } from './request-error.js'
import type { ExportLine, NDJSON, PARQUET } from '../wire/index.js'
import { lines, pieces } from './lines.js'
import type { ExportQuery } from './query-types.js'
import { pathOf } from './record-request.js'
import type { RequestOptions, Transport } from './transport.js'

const WHAT = 'The export'

/** A path that returns a file of any length, and its media type; the compiler checks it against the server's. */
interface FilePath {
  readonly path: string
  readonly type: string
}

const EXPORT: FilePath = { path: pathOf('GET /api/export'), type: 'application/x-ndjson' satisfies typeof NDJSON }

/** The path of a view's rows. */
export const viewPath = (view: string): FilePath => ({
  path: pathOf('GET /api/views/{view}', { view: encodeURIComponent(view) }),
  type: 'application/vnd.apache.parquet' satisfies typeof PARQUET,
})

/** Returns a file in chunks. Throws immediately if there is none, and later if it breaks off. */
export async function filePieces(
  transport: Transport,
  { path, type }: FilePath,
  { query, signal }: RequestOptions & { readonly query: object },
): Promise<AsyncGenerator<Uint8Array, void, undefined>> {
  const { endpoint } = transport
  const response = await transport.get(path, { query, signal, untimed: true })
  if (response.headers.get('content-type') !== type) {
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

/** Returns an export in chunks. */
export const exportPieces = (transport: Transport, query: ExportQuery, { signal }: RequestOptions) =>
  filePieces(transport, EXPORT, { query, signal })

/** Yields the lines of an export. Throws if it breaks off. */
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
