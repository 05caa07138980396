import { setTimeout } from 'node:timers/promises'

import { PlanspanError } from '../error.js'
import type { EngineProcess } from './engine-process.js'

/** The states of an embedded ClickHouse. `restarting`: it died and is not ready again. */
export type EmbeddedClickHouseState = 'ready' | 'restarting' | 'stopped'

/** The supervised process, with the functions that start and stop it. */
export interface Supervision {
  readonly first: EngineProcess
  /** Restarts it; rejects with a PlanspanError. */
  readonly start: () => Promise<EngineProcess>
  /** Aborting it kills the process, even during its start. */
  readonly stop: AbortController
  /** Called at every change of state, with the reason while the process keeps dying. */
  readonly onStateChange: (state: EmbeddedClickHouseState, failure?: PlanspanError) => void
}

/** After this time in the state `ready`, earlier deaths no longer count. */
const wellAfterMs = 60_000
const firstPauseMs = 100
const longestPauseMs = 10_000
/** From this many deaths in a row on, the failure is reported. */
const manyDeaths = 5

/** Restarts ClickHouse whenever it dies, after pauses that grow while it keeps dying. */
export class Supervisor {
  readonly #supervision: Supervision
  readonly #watched: Promise<void>
  #engine: EngineProcess
  #state: EmbeddedClickHouseState = 'ready'
  #failure: PlanspanError | undefined
  #deaths = 0
  #readySince = performance.now()

  constructor(supervision: Supervision) {
    this.#supervision = supervision
    this.#engine = supervision.first
    supervision.onStateChange('ready')
    this.#watched = this.#watch()
  }

  get pid(): number {
    return this.#engine.pid
  }

  get state(): EmbeddedClickHouseState {
    return this.#state
  }

  get failure(): PlanspanError | undefined {
    return this.#failure
  }

  async stop(): Promise<void> {
    this.#supervision.stop.abort()
    await this.#watched
    this.#failure = undefined
    this.#change('stopped')
  }

  async #watch(): Promise<void> {
    const { signal } = this.#supervision.stop
    let reason = await this.#engine.ended
    while (!signal.aborted) {
      this.#countDeath(reason)
      this.#change('restarting')
      // Rejects when stopped, which ends the loop.
      const pause = Math.min(firstPauseMs * 2 ** (this.#deaths - 1), longestPauseMs)
      await setTimeout(pause, undefined, { signal }).catch(() => {})
      if (!signal.aborted) reason = await this.#runAgain()
    }
  }

  async #runAgain(): Promise<PlanspanError> {
    try {
      this.#engine = await this.#supervision.start()
    } catch (error) {
      return error instanceof PlanspanError ? error : new PlanspanError('clickhouse_failed', String(error))
    }
    this.#readySince = performance.now()
    this.#failure = undefined
    this.#change('ready')
    return this.#engine.ended
  }

  #countDeath(reason: PlanspanError): void {
    const wasWell = this.#state === 'ready' && performance.now() - this.#readySince >= wellAfterMs
    this.#deaths = wasWell ? 1 : this.#deaths + 1
    if (this.#deaths < manyDeaths) return
    this.#failure = new PlanspanError(
      reason.code,
      `ClickHouse keeps dying and is restarted after at most ${longestPauseMs / 1000} s each time. ${reason.message}`,
      { cause: reason },
    )
  }

  #change(state: EmbeddedClickHouseState): void {
    this.#state = state
    this.#supervision.onStateChange(state, this.#failure)
  }
}
