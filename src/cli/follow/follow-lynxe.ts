import { readRecords } from '../records/read-records.js'
import { oneLine } from '../output/text-layout.js'
import { pauseAfter } from './pace.js'
import type { FollowContext, FollowedSource } from './source.js'
import { LynxeClient } from './lynxe-client.js'
import { PlanList } from './lynxe-plan-list.js'
import { PlanReader } from './lynxe-plan-reader.js'
import { digestOf, type LynxePlan } from './lynxe-plan.js'

export interface LynxeSource {
  /** The server's URL, without a slash at the end. */
  readonly base: string
  /** The one plan to follow; undefined for all. */
  readonly planId: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** What this process knows of a plan that may still change. */
interface Watched {
  /** When it is asked for next, and since when it is as it is. */
  dueAt: number
  since: number
  /** When the next generation of it may be imported. */
  importAt: number
  /** How often it was complete but for its summary. */
  lateAnswers: number
  /** The error that was told last. */
  told: string
}

const LONGEST_PAUSE_MS = 60_000
/** A plan that has not changed for a while is asked for again after this part of the while. */
const PATIENCE = 0.1
/** So long after Lynxe first had no such plan it is not asked for any more. */
const GIVEN_UP_AFTER_MS = 600_000
/** Lynxe's page, too, waits so many answers for a summary. */
const LATE_ANSWERS = 10

/** Polls a Lynxe server: of its plans those that may still change, one question at a time. */
export class FollowLynxe implements FollowedSource {
  readonly #context: FollowContext
  readonly #planId: string | undefined
  readonly #list: PlanList
  readonly #reader: PlanReader
  readonly #settled: Set<string>
  readonly #watched = new Map<string, Watched>()

  constructor({ base, planId, headers }: LynxeSource, context: FollowContext) {
    const client = new LynxeClient(base, headers, context.signal)
    this.#context = context
    this.#planId = planId
    this.#list = new PlanList(client, context.stateFile.state)
    this.#reader = new PlanReader(client)
    this.#settled = new Set(context.stateFile.state.settled)
    for (const id of Object.keys(context.stateFile.state.plans)) this.#watch(id)
  }

  async look(): Promise<boolean> {
    for (const id of this.#planId === undefined ? await this.#list.read() : [this.#planId]) this.#watch(id)
    for (const [id, watched] of this.#watched) {
      if (this.#context.signal.aborted) break
      if (watched.dueAt > performance.now() && !this.#context.once) continue
      await this.#ask(id, watched)
      await this.#context.checkpoint.nowAndThen()
    }
    return this.#planId !== undefined && this.#settled.has(this.#planId)
  }

  #watch(id: string): void {
    if (this.#settled.has(id) || this.#watched.has(id)) return
    this.#watched.set(id, { dueAt: 0, since: performance.now(), importAt: 0, lateAnswers: 0, told: '' })
  }

  async #ask(id: string, watched: Watched): Promise<void> {
    const { report, interval } = this.#context
    const reading = await this.#reader.read(id)
    const at = performance.now()
    if (!reading && at - watched.since > GIVEN_UP_AFTER_MS) return this.#settle(id)
    if (reading && 'error' in reading) {
      if (reading.error !== watched.told) report.remark(`${id}: Lynxe tells an error: ${oneLine(reading.error, 500)}`)
      watched.told = reading.error
    }
    if (reading && 'plan' in reading && (await this.#import(id, reading.plan, watched))) watched.since = at
    const pause = (at - watched.since) * PATIENCE
    watched.dueAt = at + Math.min(Math.max(interval, pause), Math.max(interval, LONGEST_PAUSE_MS))
    if (reading && 'plan' in reading && isComplete(reading.plan, watched)) this.#settle(id)
  }

  /** Imports a plan that has changed; resolves to false for one that has not, or has to wait. */
  async #import(id: string, plan: LynxePlan, watched: Watched): Promise<boolean> {
    const { importer, report, once, stateFile, encodeOptions } = this.#context
    const { plans } = stateFile.state
    const digest = digestOf(plan)
    if (plans[id] === digest) return false
    if (!once && plan.completed !== true && performance.now() < watched.importAt) return false
    const text = Buffer.from(JSON.stringify(plan))
    for await (const result of readRecords([text], { ...encodeOptions, format: 'plan-execution' })) {
      if ('error' in result) report.refuse({ from: id, message: result.error.message })
      else await importer.add(result.record, 'Lynxe')
    }
    plans[id] = digest
    watched.importAt = performance.now() + pauseAfter(text.length)
    return true
  }

  #settle(id: string): void {
    const { state } = this.#context.stateFile
    delete state.plans[id]
    this.#settled.add(id)
    state.settled.push(id)
    this.#watched.delete(id)
    this.#reader.forget(id)
  }
}

/** Whether nothing more will come of a plan. Its summary may come after its end. */
function isComplete({ completed, summary }: LynxePlan, watched: Watched): boolean {
  if (completed !== true) return false
  return Boolean(summary) || ++watched.lateAnswers >= LATE_ANSWERS
}
