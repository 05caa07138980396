import type { HrTime } from '@opentelemetry/api'
import { ERAS, PLANNER, RESEARCHER, SEARCH, stateOfSteps } from '../../mapping/dialects/review-log/index.js'
import { itemsOf, jsonObject, type JsonNode, member } from '../../mapping/json/index.js'
import type { FieldValues, toolFields } from '../../semconv/index.js'
import { countDrop } from '../drops.js'
import type { LiveAgent } from '../live-agent.js'
import type { LivePlan } from '../live-plan.js'
import { LiveTool } from '../live-tool.js'
import { countUnknownOptions } from '../option-names.js'
import { openPlan } from '../plan.js'
import { readOption, readText } from '../read-option.js'
import { activeContext } from '../scope.js'
import { stepValues } from '../step-values.js'
import type { PlannerPlan, PlannerReview, PlannerSearch, PlannerTelemetry } from './planner-arguments.js'
import { jsonNodeOf, recordSafely } from './record-safely.js'
import { hrTimeOf, later, RecordedClock, unixNanoOf } from './recorded-clock.js'
import { writeRecorded } from './recorded-values.js'

/** The start of a planner run. */
export interface PlannerRecorderOptions {
  /** The question to research. */
  question?: string | undefined
  /** The language and region of the run, for example `zh-CN`. */
  locale?: string | undefined
  /** The planner's context besides the question. */
  context?: string | undefined
  /** Unique over all plans. @default `plan-` and a random UUID */
  planId?: string | undefined
}

/** A version of the plan. */
export interface PlannerVersion {
  /** The reason for the revision. */
  reason?: string | undefined
  /** The planner's context, with the feedback that was merged into it. */
  context?: string | undefined
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof PlannerRecorderOptions>([
  'question',
  'locale',
  'context',
  'planId',
])
const { run: RUN, researcher: RESEARCHER_OBJECT, call: CALL } = ERAS['4'].objects

/** Records one planner run, in the format of `plans.jsonl`. Never throws; unreadable input counts as dropped. */
export interface PlannerRecorder {
  /** The id under which the plan's record is found. */
  readonly planId: string
  /** Records a version of the plan, which the planner has made since the last call. */
  plan(plan: PlannerPlan, version?: PlannerVersion): void
  /** Records a reviewer's decision. An ABORT cancels the plan. */
  review(review: PlannerReview): void
  /** Records a search that has just ended. */
  search(search: PlannerSearch): void
  /** Records the telemetry of the run, with the searches that were not recorded one by one. */
  telemetry(telemetry: PlannerTelemetry | null): void
  /** Ends the run, with the plan as it is then: as failed if one of its steps is blocked. */
  end(plan?: PlannerPlan): void
  /** Ends the run with an error. */
  fail(error: unknown): void
}

class RunRecorder implements PlannerRecorder {
  readonly #clock = new RecordedClock()
  readonly #plan: LivePlan
  #last: HrTime
  #researcher: LiveAgent | undefined
  readonly #searches: FieldValues<typeof toolFields>[] = []
  #hasMetrics = false
  #latest: JsonNode | undefined
  #ended = false

  constructor(options?: PlannerRecorderOptions) {
    countUnknownOptions('createPlannerRecorder()', options, OPTION_NAMES)
    this.#plan = openPlan({ planId: readText(options, 'planId') }, activeContext(), this.#clock)
    this.#plan.write({
      request: readOption(options, 'question'),
      locale: readOption(options, 'locale'),
      context: readOption(options, 'context'),
    })
    this.#last = this.#clock.now()
  }

  get planId(): string {
    return this.#plan.planId
  }

  plan(plan: PlannerPlan, version?: PlannerVersion): void {
    this.#record('a plan of a planner', () => {
      const node = jsonNodeOf(plan, 'a plan')
      if (node?.kind !== 'object') return false
      const reason = readText(version, 'reason')
      const planning = this.#clock.at(this.#last, () => this.#plan.startPlanning({ planner: PLANNER, reason }))
      planning.steps(stepsOf(plan))
      writeRecorded(planning, 'planning', { goal: this.#write(node).goal })
      this.#plan.write({ context: readOption(version, 'context') })
      planning.end()
      return true
    })
  }

  review(review: PlannerReview): void {
    this.#record('a review of a planner', () => {
      if (readText(review, 'action') === undefined) return false
      this.#plan.review(review)
      return true
    })
  }

  search(search: PlannerSearch): void {
    this.#record('a search of a planner', () => this.#search(jsonNodeOf(search, 'a search')))
  }

  telemetry(telemetry: PlannerTelemetry | null): void {
    this.#record('the telemetry of a planner', () => {
      const researcher = member(jsonNodeOf(telemetry, 'telemetry'), 'researcher')
      if (researcher?.kind !== 'object') return telemetry === null || readOption(telemetry, 'researcher') === null
      const { agent, parts } = RESEARCHER_OBJECT.read(researcher)
      writeRecorded(this.#agent(), 'agent', agent)
      this.#hasMetrics = true
      for (const call of itemsOf(parts.calls).slice(this.#searches.length)) this.#search(call)
      return true
    })
  }

  end(plan?: PlannerPlan): void {
    this.#record('the end of a planner run', () => {
      const node = plan === undefined ? undefined : jsonNodeOf(plan, 'a plan')
      if (node) {
        this.#plan.write(stepValues(stepsOf(plan)))
        this.#write(node)
      }
      this.#countSearches()
      this.#researcher?.end()
      if (stateOfSteps(this.#latest) === 'failed') this.#plan.fail(undefined)
      this.#plan.end()
      this.#ended = true
      return true
    })
  }

  fail(error: unknown): void {
    this.#researcher?.fail(error)
    this.#plan.fail(error)
    this.#ended = true
  }

  /** Writes the values of a plan, and returns them. */
  #write(node: JsonNode): ReturnType<typeof RUN.read>['plan'] {
    const { plan } = RUN.read(jsonObject([['plan', node]]))
    writeRecorded(this.#plan, 'plan', plan)
    this.#latest = node
    return plan
  }

  #agent(): LiveAgent {
    this.#researcher ??= this.#clock.at(this.#last, () => this.#plan.startAgent({ name: RESEARCHER }))
    return this.#researcher
  }

  /** Records a search, which lasted its stated duration but began after the last call. */
  #search(node: JsonNode | undefined): boolean {
    if (node?.kind !== 'object') return false
    const { tool: values } = CALL.read(node)
    const now = this.#clock.now()
    const { durationSeconds = 0 } = values
    const nanos = durationSeconds > 0 && durationSeconds < MAX_SECONDS ? BigInt(Math.round(durationSeconds * 1e9)) : 0n
    const start = later(hrTimeOf(unixNanoOf(now) - nanos), this.#last)
    const agent = this.#agent()
    const tool = this.#clock.at(start, () => new LiveTool(agent, { name: SEARCH }))
    writeRecorded(tool, 'tool', values)
    tool.end()
    this.#searches.push(values)
    this.#last = now
    return true
  }

  /** Writes the metrics of the searches, if the planner has not reported its own. */
  #countSearches(): void {
    if (this.#hasMetrics || !this.#researcher) return
    const total = (name: 'noteCount' | 'resultCount' | 'durationSeconds'): number =>
      this.#searches.reduce((sum, { [name]: value = 0 }) => sum + value, 0)
    writeRecorded(this.#researcher, 'agent', {
      totalCalls: this.#searches.length,
      totalNotes: total('noteCount'),
      totalResults: total('resultCount') || undefined,
      totalDurationSeconds: total('durationSeconds'),
      degradationModes: [...new Set(this.#searches.flatMap(({ degradationMode }) => degradationMode ?? []))],
    })
  }

  #record(what: string, record: () => boolean): void {
    recordSafely(what, () => {
      if (this.#ended || !record()) countDrop('event', what)
      this.#last = this.#clock.now()
    })
  }
}

const MAX_SECONDS = 1e9

const stepsOf = (plan: PlannerPlan | undefined): readonly unknown[] => {
  const steps: unknown = readOption(plan, 'steps')
  return Array.isArray(steps) ? steps : []
}

/**
 * Creates a recorder for one run of a planner whose plan is reviewed by a person.
 *
 * @example
 * const recorder = createPlannerRecorder({ question, locale: 'en' })
 * recorder.plan(plan)
 * recorder.review({ action: 'ACCEPT_PLAN' })
 * recorder.end(plan)
 */
export const createPlannerRecorder = (options?: PlannerRecorderOptions): PlannerRecorder => new RunRecorder(options)
