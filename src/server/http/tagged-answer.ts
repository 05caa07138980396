import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import type { Body } from '../rebuild/index.js'

/** A body with an ETag of all that the answer says, right whatever has come since; 304 where the client has that. */
export function taggedAnswer(c: Context, { body, checksum }: Body, headers: Record<string, string>): Response {
  const etag = `"${createHash('sha256').update(checksum).update(JSON.stringify(headers)).digest('base64url').slice(0, 27)}"`
  const tagged = { ...headers, etag, 'cache-control': 'no-cache' }
  return isKnown(c.req.header('if-none-match') ?? '', etag) ? c.body(null, 304, tagged) : c.body(body, 200, tagged)
}

const isKnown = (known: string, etag: string): boolean =>
  known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
