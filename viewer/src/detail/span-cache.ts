import { signal } from '@preact/signals'
import type { SpanJson } from 'planspan/client'

import { client } from '../data/client.js'
import { isPassing } from '../data/connection.js'
import type { Row } from '../model/row.js'
import type { PlanStore } from '../plan/plan-store.js'

/** The largest number of cached payloads. */
const MOST = 50

export interface Payload {
  /** The row for which it was read; another row means that the span has changed. */
  readonly row: Row
  readonly span: SpanJson
}

/** Creates a cache of span payloads, which are read when they are viewed. */
export function createSpanCache({ planId, place }: Pick<PlanStore, 'planId' | 'place'>) {
  const payloads = signal<ReadonlyMap<string, Payload>>(new Map())
  const failures = signal<ReadonlyMap<string, string>>(new Map())
  const asked = new Map<string, Row>()
  return {
    payloads,
    failures,
    /** Reads a span, unless its current version is cached or requested. */
    async read(row: Row): Promise<void> {
      if (payloads.peek().get(row.id)?.row === row || asked.get(row.id) === row) return
      asked.set(row.id, row)
      try {
        const span = await client.span(planId, row.id, place)
        const others = [...payloads.peek()].filter(([id]) => id !== row.id).slice(1 - MOST)
        payloads.value = new Map([...others, [row.id, { row, span }]])
      } catch (error) {
        if (!isPassing(error)) failures.value = new Map([...failures.peek(), [row.id, String(error)]])
      } finally {
        asked.delete(row.id)
      }
    },
  }
}
