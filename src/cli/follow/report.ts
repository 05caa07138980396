import type { EncodedRecord } from '../../mapping/index.js'
import { note, print, styled, styledState } from '../output/terminal.js'
import { formatBytes, oneLine, plural } from '../output/text-layout.js'
import { stateOf } from './order-generations.js'

/** A record that cannot be imported, and its place. */
export interface Refusal {
  readonly from: string
  readonly line?: number | undefined
  readonly message: string
}

/** The output of following: lines for people on standard error, or with `--json` one JSON document per line. */
export class Report {
  readonly #isJson: boolean
  #records = 0
  #spans = 0
  #refused = 0
  readonly #plans = new Set<string>()

  constructor({ json }: { readonly json: boolean }) {
    this.#isJson = json
  }

  /** The number of records that could not be imported. */
  get refused(): number {
    return this.#refused
  }

  /** Reports a stored generation of a record. */
  imported(record: EncodedRecord, from: string): void {
    const { planId, traceId, dialect, text, spans } = record
    this.#records++
    this.#spans += spans.length
    this.#plans.add(planId)
    const state = stateOf(record)
    const bytes = Buffer.byteLength(text)
    this.#write(
      { event: 'imported', planId, traceId, dialect, state, spans: spans.length, bytes, from },
      [oneLine(planId, 80), styledState(state), plural(spans.length, 'span'), formatBytes(bytes), oneLine(from)].join(
        '  ',
      ),
    )
  }

  /** Reports a record, or some of its spans, that will not be stored. */
  refuse({ from, line, message }: Refusal): void {
    this.#refused++
    const place = line === undefined ? oneLine(from) : `${oneLine(from)}, line ${String(line)}`
    this.#write({ event: 'refused', from, line, message }, `${place}: ${styled('red', 'refused')}: ${oneLine(message)}`)
  }

  /** Reports that the source or the server is unreachable, or is back. */
  outage(event: 'away' | 'back', who: 'source' | 'server', message: string): void {
    this.#write({ event: `${who}_${event}`, message }, oneLine(message))
  }

  remark(message: string): void {
    this.#write({ event: 'remark', message }, oneLine(message))
  }

  end(): void {
    const [records, spans, refused, plans] = [this.#records, this.#spans, this.#refused, this.#plans.size]
    const text = `${plural(plans, 'plan')}: ${plural(records, 'record')}, ${plural(spans, 'span')}`
    if (this.#isJson) print(JSON.stringify({ event: 'ended', plans, records, spans, refused }))
    else print(refused === 0 ? text : `${text}, ${String(refused)} refused`)
  }

  #write(json: object, text: string): void {
    if (this.#isJson) print(JSON.stringify(json))
    else note(text)
  }
}
