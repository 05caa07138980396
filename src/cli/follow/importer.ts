import { PlanspanError } from '../../error.js'
import type { EncodedRecord } from '../../mapping/index.js'
import type { SendResult, SpanSender } from '../../sender/index.js'
import { inOrder, type Reached } from './order-generations.js'
import type { Outage } from './pause.js'
import type { Report } from './report.js'

export interface ImporterOptions {
  readonly sender: SpanSender
  readonly report: Report
  readonly outage: Outage
  readonly signal: AbortSignal
  readonly reached: Reached
  /** Whether to wait for an unreachable server instead of throwing. */
  readonly waits: boolean
}

interface Waiting {
  readonly record: EncodedRecord
  /** The origin, for messages. */
  readonly from: string
}

const BATCH_SPANS = 2000
/** The longest time that a record waits for further records before it is sent, milliseconds. */
const LONGEST_WAIT_MS = 500
const WAITED_FOR: ReadonlySet<string> = new Set(['receiver_unreachable', 'store_busy'])

/** Thrown if following ends before all found records are stored. */
export class StoppedFollowing extends Error {}

/** Sends records in batches. */
export class Importer {
  readonly #options: ImporterOptions
  #waiting: Waiting[] = []
  #spans = 0
  #waitingSince = 0

  constructor(options: ImporterOptions) {
    this.#options = options
  }

  async add(given: EncodedRecord, from: string): Promise<void> {
    const record = inOrder(given, this.#options.reached)
    if (this.#waiting.length === 0) this.#waitingSince = performance.now()
    this.#waiting.push({ record, from })
    this.#spans += record.spans.length
    const isLate = performance.now() - this.#waitingSince > LONGEST_WAIT_MS
    if (isLate || this.#spans >= BATCH_SPANS) await this.flush()
  }

  /** Resolves when all added records are stored or rejected. Throws `StoppedFollowing` if following ends before. */
  async flush(): Promise<void> {
    const waiting = this.#waiting
    if (waiting.length === 0) return
    this.#waiting = []
    this.#spans = 0
    await this.#send(waiting)
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    const { report } = this.#options
    const [first] = batch
    if (!first) return
    try {
      const { rejected, reasons } = await this.#post(batch.flatMap(({ record }) => record.spans))
      for (const { record, from } of batch) report.imported(record, from)
      if (rejected > 0) {
        report.refuse({ from: first.from, message: `${String(rejected)} spans were not stored: ${reasons.join(' ')}` })
      }
    } catch (error) {
      if (!(error instanceof PlanspanError) || error.code !== 'receiver_refused') throw error
      if (batch.length === 1) report.refuse({ from: first.from, message: error.message })
      // At least one record is invalid; the others are stored without it.
      else for (const waiting of batch) await this.#send([waiting])
    }
  }

  async #post(spans: EncodedRecord['spans'][number][]): Promise<SendResult> {
    const { sender, outage, signal, waits } = this.#options
    while (!signal.aborted) {
      try {
        const result = await sender.send(spans)
        outage.over()
        return result
      } catch (error) {
        if (signal.aborted) break
        const isAway = error instanceof PlanspanError && WAITED_FOR.has(error.code)
        if (!isAway || !waits) throw error
        await outage.wait(error.message, signal)
      }
    }
    throw new StoppedFollowing()
  }
}
