import { readRecords } from '../records/read-records.js'
import { oneLine } from '../output/text-layout.js'
import { pauseAfter } from './pause.js'
import type { FollowContext, FollowedSource } from './source.js'
import { LynxeClient } from './lynxe-client.js'
import { PlanList, digestOf, PlanReader, type LynxePlan } from './lynxe-plans.js'

/** A Lynxe server, and the plans to follow. */
export interface LynxeSource {
  /** The server's URL, without a slash at the end. */
  readonly base: string
  /** The one plan to follow; undefined for all. */
  readonly planId: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** What this process knows about a plan that may still change. */
interface Watched {
  /** The time of the next request, and the time since which the plan is unchanged. */
  dueAt: number
  since: number
  /** The earliest time for importing its next generation. */
  importAt: number
  /** The number of responses in which only the summary was missing. */
  lateAnswers: number
  /** The last reported error. */
  reportedError: string
}

const LONGEST_PAUSE_MS = 60_000
/** The pause for an unchanged plan, as a share of the time since its last change. */
const PATIENCE = 0.1
/** A plan that Lynxe does not have is given up after this time. */
const GIVEN_UP_AFTER_MS = 600_000
/** The number of responses to wait for a summary; Lynxe's page waits as long. */
const LATE_ANSWERS = 10

/** Polls a Lynxe server for its plans that may still change, one request at a time. */
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
    this.#watched.set(id, { dueAt: 0, since: performance.now(), importAt: 0, lateAnswers: 0, reportedError: '' })
  }

  async #ask(id: string, watched: Watched): Promise<void> {
    const { report, interval } = this.#context
    const reading = await this.#reader.read(id)
    const at = performance.now()
    if (!reading && at - watched.since > GIVEN_UP_AFTER_MS) return this.#settle(id)
    if (reading && 'error' in reading) {
      if (reading.error !== watched.reportedError) {
        report.remark(`${id}: Lynxe reports an error: ${oneLine(reading.error, 500)}`)
      }
      watched.reportedError = reading.error
    }
    if (reading && 'plan' in reading && (await this.#import(id, reading.plan, watched))) watched.since = at
    const pause = (at - watched.since) * PATIENCE
    watched.dueAt = at + Math.min(Math.max(interval, pause), Math.max(interval, LONGEST_PAUSE_MS))
    if (reading && 'plan' in reading && isComplete(reading.plan, watched)) this.#settle(id)
  }

  /** Imports a changed plan; resolves to false if the plan is unchanged or has to wait. */
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

/** Whether a plan is complete. Its summary may arrive after its end. */
function isComplete({ completed, summary }: LynxePlan, watched: Watched): boolean {
  if (completed !== true) return false
  return Boolean(summary) || ++watched.lateAnswers >= LATE_ANSWERS
}
