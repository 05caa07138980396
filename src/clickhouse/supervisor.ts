import { setTimeout } from 'node:timers/promises'

import { PlanspanError } from '../error.js'
import type { EngineProcess } from './engine-process.js'

/** The states of an embedded ClickHouse. `failed`: it kept dying and is not started again. */
export type EmbeddedClickHouseState = 'ready' | 'restarting' | 'failed' | 'stopped'

/** The process under supervision, and how to start and stop it. */
export interface Supervision {
  readonly first: EngineProcess
  /** Starts it again; rejects with a PlanspanError. */
  readonly start: () => Promise<EngineProcess>
  /** Aborting it kills the process, even while it is starting. */
  readonly stop: AbortController
  readonly onStateChange: (state: EmbeddedClickHouseState, failure?: PlanspanError) => void
}

const maxDeaths = 5
const deathWindowMs = 60_000
const firstPauseMs = 100

/** Restarts ClickHouse when it dies, until it has died five times within a minute. */
export class Supervisor {
  readonly #supervision: Supervision
  readonly #watched: Promise<void>
  #engine: EngineProcess
  #state: EmbeddedClickHouseState = 'ready'
  #failure: PlanspanError | undefined
  #deaths: number[] = []

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
    this.#change('stopped')
  }

  async #watch(): Promise<void> {
    const { signal } = this.#supervision.stop
    let reason = await this.#engine.ended
    while (!signal.aborted) {
      const deaths = this.#countDeath()
      if (deaths === maxDeaths) {
        this.#fail(reason)
        return
      }
      this.#change('restarting')
      // Rejects when stopped, which ends the loop.
      await setTimeout(firstPauseMs * 2 ** (deaths - 1), undefined, { signal }).catch(() => {})
      if (!signal.aborted) reason = await this.#runAgain()
    }
  }

  async #runAgain(): Promise<PlanspanError> {
    try {
      this.#engine = await this.#supervision.start()
    } catch (error) {
      return error instanceof PlanspanError ? error : new PlanspanError('clickhouse_failed', String(error))
    }
    this.#change('ready')
    return this.#engine.ended
  }

  #countDeath(): number {
    const now = performance.now()
    this.#deaths = [...this.#deaths.filter((death) => now - death < deathWindowMs), now]
    return this.#deaths.length
  }

  #fail(reason: PlanspanError): void {
    this.#failure = new PlanspanError(
      reason.code,
      `ClickHouse died ${maxDeaths} times within a minute and is not started again. ${reason.message}`,
      { cause: reason },
    )
    this.#change('failed')
  }

  #change(state: EmbeddedClickHouseState): void {
    this.#state = state
    this.#supervision.onStateChange(state, this.#failure)
  }
}
