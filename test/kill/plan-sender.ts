import { setTimeout } from 'node:timers/promises'

import { encodeRequest } from '../otlp/encode-request.js'
import { makeRequest, makeSpan } from '../store/ingest/sample-spans.js'

export interface Refusal {
  readonly status: number
  readonly retryAfter: string | null
  readonly text: string
}

/** A client that sends one plan per request, each once, and waits for each response, so that the journal is used. */
export class PlanSender {
  readonly acknowledged: string[] = []
  rejected = 0
  readonly #refusals = new Map<string, Refusal>()
  readonly #server: { readonly url: string }
  #next = 0

  constructor(server: { readonly url: string }) {
    this.#server = server
  }

  /** The different responses to rejected requests, regardless of the free space. */
  get refusals(): Refusal[] {
    return [...this.#refusals.values()]
  }

  /** The number of rows and plans that a list has to contain. */
  get tally() {
    return { rows: this.acknowledged.length, plans: this.acknowledged.length }
  }

  async send(plans: number): Promise<void> {
    for (let sent = 0; sent < plans; sent++) await this.#send()
  }

  /** Sends until it is stopped. */
  keepSending(): { stop(): Promise<void> } {
    const over = new AbortController()
    const run = async () => {
      while (!over.signal.aborted) {
        await this.#send()
        await setTimeout(5)
      }
    }
    const running = run()
    return {
      async stop() {
        over.abort()
        await running
      },
    }
  }

  forget(planId: string): void {
    this.acknowledged.splice(this.acknowledged.indexOf(planId), 1)
  }

  async #send(): Promise<void> {
    const number = ++this.#next
    const planId = `plan-${number}`
    const attributes = Object.entries({
      'planspan.span.kind': 'plan',
      'planspan.plan.id': planId,
      'planspan.plan.root_id': planId,
    }).map(([key, value]) => ({ key, value: { stringValue: value } }))
    const response = await fetch(`${this.#server.url}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf' },
      body: new Uint8Array(encodeRequest(makeRequest([makeSpan(number, { attributes })]))),
      signal: AbortSignal.timeout(30_000),
    })
    const text = Buffer.from(await response.arrayBuffer()).toString()
    if (response.status === 200) return void this.acknowledged.push(planId)
    this.rejected++
    const refusal = { status: response.status, retryAfter: response.headers.get('retry-after'), text }
    this.#refusals.set(text.replaceAll(/\d+\.\d MiB free/g, ''), refusal)
  }
}
