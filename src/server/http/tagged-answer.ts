import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import type { Body } from '../rebuild/index.js'

/** Responds with a body and an ETag of its content, or with 304 if the client has the same content. */
export function taggedAnswer(c: Context, { body, checksum }: Body, headers: Record<string, string>): Response {
  const etag = `"${createHash('sha256').update(checksum).update(JSON.stringify(headers)).digest('base64url').slice(0, 27)}"`
  const tagged = { ...headers, etag, 'cache-control': 'no-cache' }
  return isKnown(c.req.header('if-none-match') ?? '', etag) ? c.body(null, 304, tagged) : c.body(body, 200, tagged)
}

const isKnown = (known: string, etag: string): boolean =>
  known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
