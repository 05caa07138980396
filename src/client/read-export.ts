import { brokenOff, notPlanspan } from './request-error.js'
import type { CheckLine, ExportLine, NDJSON, PARQUET } from '../wire/index.js'
import { lines, pieces } from './lines.js'
import type { CheckBody, ExportQuery } from './query-types.js'
import { pathOf } from './record-request.js'
import type { Asked, RequestOptions, Transport } from './transport.js'

const WHAT = 'The export'
const CHECKING = 'The check'

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
  { what = WHAT, ...asked }: Omit<Asked, 'untimed'> & { readonly what?: string },
): Promise<AsyncGenerator<Uint8Array, void, undefined>> {
  const { endpoint } = transport
  const { signal } = asked
  const response = await transport.get(path, { ...asked, untimed: true })
  if (response.headers.get('content-type') !== type) {
    await response.body?.cancel()
    throw notPlanspan(endpoint, response.status)
  }
  return (async function* () {
    try {
      yield* pieces(response.body, { signal })
    } catch (error) {
      throw signal?.aborted ? error : brokenOff(endpoint, what, error)
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
  yield* jsonLines(transport, await exportPieces(transport, query, options), WHAT)
}

const CHECK: FilePath = { ...EXPORT, path: pathOf('POST /api/check') }

/** Yields the lines of a check. Throws if it breaks off. */
export async function* checkLines(
  transport: Transport,
  body: CheckBody,
  asked: RequestOptions & { readonly query: object },
): AsyncGenerator<CheckLine, void, undefined> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } as const
  yield* jsonLines(transport, await filePieces(transport, CHECK, { ...post, ...asked, what: CHECKING }), CHECKING)
}

async function* jsonLines<Line>(
  { endpoint }: Transport,
  pieces: AsyncIterable<Uint8Array>,
  what: string,
): AsyncGenerator<Line, void, undefined> {
  const read = lines(pieces)
  try {
    for (;;) {
      const { done, value } = await read.next()
      if (!done) yield JSON.parse(value) as Line
      else if (value === '') return
      else throw brokenOff(endpoint, what)
    }
  } finally {
    await read.return('')
  }
}
