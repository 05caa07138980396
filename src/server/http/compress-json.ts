import type { MiddlewareHandler } from 'hono'
import { Duplex } from 'node:stream'
import { createGzip } from 'node:zlib'

/** Shorter responses fit into one packet or two. */
const MIN_BYTES = 2048

/**
 * Compresses JSON for clients that accept gzip. Responses that are streamed while they are produced stay as they are.
 */
export const compressJson: MiddlewareHandler = async (c, next) => {
  await next()
  const { res } = c
  const { headers } = res
  if (c.req.method === 'HEAD' || !res.body || headers.has('content-encoding')) return
  if (!/\bjson\b/.test(headers.get('content-type') ?? '') || headers.get('x-accel-buffering') === 'no') return
  headers.append('vary', 'accept-encoding')
  const length = headers.get('content-length')
  const isSmall = length !== null && Number(length) < MIN_BYTES
  if (isSmall || !/\bgzip\b/.test(c.req.header('accept-encoding') ?? '')) return
  headers.delete('content-length')
  headers.set('content-encoding', 'gzip')
  // An exact ETag would name the bytes of one encoding.
  const etag = headers.get('etag')
  if (etag !== null) headers.set('etag', `W/${etag}`)
  // Level 1 takes a tenth of the default's time for a tenth more bytes.
  const { readable, writable } = Duplex.toWeb(createGzip({ level: 1 }))
  c.res = new Response(res.body.pipeThrough({ readable, writable }), res)
}
