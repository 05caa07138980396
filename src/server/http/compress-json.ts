import type { MiddlewareHandler } from 'hono'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** Shorter responses fit into one packet or two. */
const MIN_BYTES = 2048

/** A weight of 0 refuses an encoding. */
const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/

/**
 * Compresses JSON in memory for clients that accept gzip. Responses that are streamed while they are produced stay as
 * they are.
 */
export const compressJson: MiddlewareHandler = async (c, next) => {
  await next()
  // The body is read first: where `serve` of Hono's server has replaced the global Response, this replaces the headers.
  if (c.req.method === 'HEAD' || !c.res.body) return
  const { headers, status } = c.res
  if (headers.has('content-encoding') || headers.get('x-accel-buffering') === 'no') return
  if (!/\bjson\b/.test(headers.get('content-type') ?? '')) return
  headers.append('vary', 'accept-encoding')
  const length = headers.get('content-length')
  const isSmall = length !== null && Number(length) < MIN_BYTES
  if (isSmall || !ACCEPTS_GZIP.test(c.req.header('accept-encoding') ?? '')) return
  // Level 1 takes a tenth of the default's time for a tenth more bytes.
  const body = await promisify(gzip)(await c.res.arrayBuffer(), { level: 1 })
  const packed = new Headers(headers)
  packed.set('content-length', String(body.length))
  packed.set('content-encoding', 'gzip')
  // An exact ETag would name the bytes of one encoding.
  const etag = headers.get('etag')
  if (etag !== null) packed.set('etag', `W/${etag}`)
  // Hono adds the headers of a response that is replaced to the next one.
  c.res = undefined
  c.res = new Response(new Uint8Array(body), { status, headers: packed })
}
