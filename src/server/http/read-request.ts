import type { Context } from 'hono'
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'

import { PlanspanError } from '../../error.js'
import { piecesOf, readBounded } from './read-bounded.js'
import { LeastRate } from './least-rate.js'
import { Room } from './request-memory.js'

/**
 * Reads the query parameters of a request; a list parameter is repeated for each of its items. Throws a `usage` error
 * that names the invalid parameters.
 */
export function readQuery<Schema extends z.ZodObject>(c: Context, schema: Schema): z.output<Schema> {
  const given = Object.entries(c.req.queries())
  const isMany = (name: string): boolean => isList(schema.shape[name])
  const query = Object.fromEntries(given.map(([name, values]) => [name, isMany(name) ? values : values[0]]))
  const repeated = given.filter(([name, values]) => values.length > 1 && !isMany(name))
  if (repeated.length > 0) {
    const names = repeated.map(([name]) => name).join(', ')
    throw new PlanspanError('usage', `Bad parameters: ${names} is given more than once.`)
  }
  return checkParameters(query, schema)
}

const isList = (schema: unknown): boolean =>
  schema instanceof z.ZodArray ||
  ((schema instanceof z.ZodExactOptional || schema instanceof z.ZodPrefault) && isList(schema.def.innerType))

/**
 * Checks the parameters of a request, from its query or its JSON body. Throws a `usage` error that names the invalid
 * parameters.
 */
export function checkParameters<Schema extends z.ZodObject>(given: unknown, schema: Schema): z.output<Schema> {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const known = Object.keys(schema.shape).join(', ')
  const reasons = result.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')} is unknown here (known: ${known})`
    const name = issue.path.join('.')
    if (issue.code !== 'invalid_value') return `${name}: ${issue.message}`
    return `${name}: ${JSON.stringify((given as Record<string, unknown>)[name])} is not one of ${issue.values.join(', ')}`
  })
  throw new PlanspanError('usage', `Bad parameters: ${reasons.join('; ')}.`)
}

/** The peer of a request's connection, as `address:port`; requests without a connection have none. */
export function peerOf(c: Context): string | undefined {
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage }
  return incoming && `${incoming.socket.remoteAddress}:${incoming.socket.remotePort}`
}

/** Returns the address of a peer; empty without a connection. */
export const addressOf = (peer = ''): string => peer.slice(0, Math.max(0, peer.lastIndexOf(':')))

/** The maximum size of a small body, bytes; far more than any id or query needs. */
const MAX_BODY_BYTES = 1 << 20

/** The reader of small bodies, which are few, and small compared with bodies of spans. */
const ROOM = new Room({ total: 64 << 20 })
const RATE = new LeastRate()

/** Reads the small body of a request; undefined if it is too large, too slow or incomplete. */
export async function readSmallBody(c: Context): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const holding = ROOM.open(addressOf(peerOf(c)))
  try {
    const read = await readBounded(piecesOf(c), { maxBytes: MAX_BODY_BYTES, holding, rate: RATE })
    return read.ok ? new Uint8Array(read.body) : undefined
  } finally {
    holding.release()
  }
}

/** Reads the JSON of a small request. Throws `usage` if the body is not JSON. */
export async function readSmallJson(c: Context, example: string): Promise<unknown> {
  try {
    const body = await readSmallBody(c)
    if (body) return JSON.parse(new TextDecoder().decode(body))
  } catch (error) {
    if (error instanceof PlanspanError) throw error
    // Reported below.
  }
  throw new PlanspanError('usage', `The body is no JSON such as ${example}.`)
}
