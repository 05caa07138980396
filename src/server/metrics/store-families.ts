import { PlanspanError } from '../../error.js'
import type { Store } from '../../store/index.js'
import type { PlansByState } from '../../store/metrics/index.js'
import { withTimeout } from '../async.js'
import type { Family } from './exposition.js'

/** The metrics that ClickHouse computes. While ClickHouse does not respond, the last values are reported. */
export class StoreFamilies {
  readonly #plans: Kept<PlansByState>
  readonly #state: Kept<{
    readonly isUp: boolean
    readonly room: number | undefined
    readonly broken: number | undefined
  }>

  constructor({ metrics }: Pick<Store, 'metrics'>) {
    this.#plans = new Kept(async (report) => report(await metrics.plansByState()))
    this.#state = new Kept(async (report) => {
      report({ isUp: await metrics.isUp(), room: await metrics.room(), broken: await metrics.brokenParts() })
    })
  }

  async look(): Promise<Family[]> {
    const [plans, state] = await Promise.all([this.#plans.look(), this.#state.look()])
    const { age } = this.#plans
    return [
      {
        name: 'planspan_clickhouse_up',
        type: 'gauge',
        help: 'Whether ClickHouse answers.',
        samples: [[{}, state?.isUp === true ? 1 : 0]],
      },
      {
        name: 'planspan_disk_free_bytes',
        type: 'gauge',
        unit: 'bytes',
        help: 'The room for new rows.',
        samples: state?.room === undefined ? [] : [[{}, state.room]],
      },
      {
        name: 'planspan_broken_parts',
        type: 'gauge',
        help: 'Parts that ClickHouse could not read and has set aside.',
        samples: state?.broken === undefined ? [] : [[{}, state.broken]],
      },
      {
        name: 'planspan_plans',
        type: 'gauge',
        help: 'Plans that are stored, by state.',
        samples: Object.entries(plans ?? {}).map(([state, count]) => [{ state }, count]),
      },
      {
        name: 'planspan_counted_age_seconds',
        type: 'gauge',
        unit: 'seconds',
        help: 'The age of the count of plans.',
        samples: age === undefined ? [] : [[{ of: 'plans' }, age]],
      },
    ]
  }
}

/** The minimum time between two reads, milliseconds. */
const LEAST_MS = 1_000
/** The minimum time between two reads, as a multiple of the last read's duration. */
const REST_FACTOR = 10

/** A cached value that is read on demand, once for all readers. Readers do not wait for a slow read. */
class Kept<Value> {
  readonly #find: (report: (value: Value) => void) => Promise<void>
  readonly #waitMs: number
  #value: Value | undefined
  #foundAt: number | undefined
  #running: Promise<void> | undefined
  #due = 0

  /** `find` may report several values; the last one is the newest. */
  constructor(find: (report: (value: Value) => void) => Promise<void>, waitMs = 250) {
    this.#find = find
    this.#waitMs = waitMs
  }

  /** Returns the last value, after a short wait for a newer one. Never throws. */
  async look(): Promise<Value | undefined> {
    if (performance.now() >= this.#due) this.#running ??= this.#run()
    if (this.#running) await withTimeout(this.#waitMs, this.#running, () => undefined)
    return this.#value
  }

  /** The age of the value, seconds; undefined without a value. */
  get age(): number | undefined {
    return this.#foundAt === undefined ? undefined : (performance.now() - this.#foundAt) / 1000
  }

  async #run(): Promise<void> {
    const begun = performance.now()
    try {
      await this.#find((value) => {
        this.#value = value
      })
      this.#foundAt = performance.now()
    } catch (error) {
      // An unreachable store is reported elsewhere.
      if (!(error instanceof PlanspanError)) process.emitWarning(error instanceof Error ? error : String(error))
    } finally {
      this.#running = undefined
      const now = performance.now()
      this.#due = now + Math.max(LEAST_MS, REST_FACTOR * (now - begun))
    }
  }
}
