import type { Readable } from 'node:stream'

import { PlanspanError } from '../../error.js'
import { shownUrl } from '../../base/shown-url.js'

/** The silence after which ClickHouse is pinged, and the timeout of the ping, milliseconds. */
const SILENCE_MS = 2_000
const PING_MS = 3_000

/** The pending pings by URL: all queries of a server share one. */
const pings = new Map<string, Promise<boolean>>()

/**
 * Awaits a query for as long as ClickHouse answers pings. Throws `store_unreachable` if ClickHouse is frozen or out of
 * reach and answers neither.
 */
export async function whileAlive<T>(url: string, work: Promise<T>): Promise<T> {
  const done = work.then(
    () => true as const,
    () => true as const,
  )
  for (;;) {
    if (await within(SILENCE_MS, done)) return work
    const isAlive = await Promise.race([done, ping(url)])
    if (!isAlive) throw silent(url)
  }
}

/** Yields the chunks of a stream as they arrive and destroys it at the end. Throws as `whileAlive` does. */
export async function* streamWhileAlive<T>(url: string, stream: Readable): AsyncGenerator<T, void, undefined> {
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<T, void>
  try {
    for (;;) {
      const { done, value } = await whileAlive(url, pieces.next())
      if (done) return
      yield value as T
    }
  } finally {
    stream.destroy()
  }
}

/** Whether a promise resolves within a time. */
async function within(milliseconds: number, done: Promise<true>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const result = await Promise.race([done, late])
  clearTimeout(timer)
  return result
}

function ping(url: string): Promise<boolean> {
  const { origin } = new URL(url)
  const underWay = pings.get(origin)
  if (underWay) return underWay
  const asked = answers(`${origin}/ping`).finally(() => pings.delete(origin))
  pings.set(origin, asked)
  return asked
}

/** Whether a URL answers at all; an error from a proxy counts. */
async function answers(url: string): Promise<boolean> {
  try {
    const { body } = await fetch(url, { signal: AbortSignal.timeout(PING_MS) })
    await body?.cancel()
    return true
  } catch {
    return false
  }
}

const silent = (url: string): PlanspanError =>
  new PlanspanError(
    'store_unreachable',
    `ClickHouse at ${shownUrl(url)} has not answered for ${(SILENCE_MS + PING_MS) / 1000} s, not even a ping: it is frozen, ` +
      'overloaded or unreachable. Check its process and its log, and try again.',
  )
