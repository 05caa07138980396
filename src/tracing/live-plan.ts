import type { Attributes, Context, Link } from '@opentelemetry/api'
import { ATTR, EVENTS, planFields, type State } from '../semconv/index.js'
import type { AgentOptions, AgentSpan } from './handles/agent-span.js'
import type {
  PlanMessage,
  PlanOptions,
  PlanSpan,
  PlanUpdate,
  PlanValues,
  PlanningOptions,
  PlanningSpan,
} from './handles/plan-span.js'
import type { ReviewDecision, WaitOptions, WaitSpan } from './handles/wait-span.js'
import { isPlainData } from './json-text.js'
import { LiveAgent } from './live-agent.js'
import { liveFields } from './live-fields.js'
import { LivePlanning } from './live-planning.js'
import { LiveSpan } from './live-span.js'
import { LiveWait, REVIEW_NAMES } from './live-wait.js'
import type { PlanRun, Review } from './plan-run.js'
import { formatPlanToken, type PlanToken } from './plan-token.js'
import { readInteger, readOption, readText } from './read-option.js'
import { runInSpan } from './run-in-span.js'
import { stepValues } from './step-values.js'
import { notePlan } from './unrecorded-plans.js'

const FIELDS = liveFields(planFields, ['planId', 'conversationId', 'captureReturn'])

const MESSAGE_NAMES: ReadonlySet<string> = new Set<keyof PlanMessage>(['role', 'content'])

/** The start of a plan. */
export interface PlanStart {
  readonly run: PlanRun
  readonly parent: LiveSpan | undefined
  readonly parentContext: Context
  readonly options: PlanOptions | undefined
  readonly links?: Link[] | undefined
  readonly values: {
    readonly parentPlanId?: string | undefined
    readonly parentToolCallId?: string | undefined
    readonly segment?: number | undefined
  }
}

/** One run of a plan (`invoke_workflow`). */
export class LivePlan extends LiveSpan implements PlanSpan {
  #hasStepObjects = false

  /** Made by `plan` and `startPlan`. */
  constructor({ run, parent, parentContext, options, links, values }: PlanStart) {
    const subject = readText(options, 'workflow')
    super({
      role: 'plan',
      fields: FIELDS,
      run,
      parent,
      parentContext,
      subject,
      subjectField: 'workflow',
      options,
      links,
      values,
    })
    if (!parent) notePlan(this.spanContext)
    run.began(this.spanContext, subject)
    run.listen({
      agentBegan: (currentStepIndex) => this.#agentBegan(currentStepIndex),
      revised: (steps, revision, reason) => this.#revised(steps, revision, reason),
      reviewed: (reviews, actor) => this.#reviewed(reviews, actor),
      waiting: (waiting) => this.write({ waiting }),
      changed: () => this.changed(),
    })
    const steps = readOption(options, 'steps')
    if (Array.isArray(steps)) run.revise(steps, undefined)
  }

  get planId(): string {
    return this.run.identity.planId
  }

  get rootPlanId(): string {
    return this.run.identity.rootPlanId
  }

  get token(): string {
    return formatPlanToken(this.run.token())
  }

  /** The parsed token. */
  get resumable(): PlanToken {
    return this.run.token()
  }

  set(values: PlanValues): void {
    this.write(values)
  }

  summary(summary: string): void {
    this.hasResult = true
    this.write({ summary })
  }

  result(result: unknown): void {
    this.hasResult = true
    this.write({ result })
  }

  protected override recordReturned(value: unknown): void {
    if (isPlainData(value)) this.write(typeof value === 'string' ? { summary: value } : { result: value })
  }

  update(update: PlanUpdate): void {
    const planning = this.startPlanning(update)
    planning.steps(readOption(update, 'steps') ?? [])
    planning.end()
  }

  review(decision: ReviewDecision): void {
    this.check('a review', decision, REVIEW_NAMES)
    const action = readText(decision, 'action')
    if (action === undefined || this.ended) return
    this.run.review({
      action,
      feedback: readText(decision, 'feedback'),
      attempt: readInteger(decision, 'attempt'),
    })
  }

  message(message: PlanMessage): void {
    this.check('a message', message, MESSAGE_NAMES)
    const role = readText(message, 'role')
    const content = this.contentText(ATTR.messageContent, readOption(message, 'content'))
    this.event(EVENTS.message, {
      ...(role !== undefined && { [ATTR.messageRole]: role }),
      ...(content !== undefined && { [ATTR.messageContent]: content }),
    })
  }

  planning<T>(options: PlanningOptions, fn: (planning: PlanningSpan) => T): T {
    return runInSpan((given?: PlanningOptions) => this.startPlanning(given), options, fn)
  }

  startPlanning(options?: PlanningOptions): LivePlanning {
    return new LivePlanning(this, options)
  }

  agent<T>(options: AgentOptions, fn: (agent: AgentSpan) => T): T {
    return runInSpan((given?: AgentOptions) => this.startAgent(given), options, fn)
  }

  startAgent(options?: AgentOptions): LiveAgent {
    return new LiveAgent(this, options)
  }

  wait<T>(options: WaitOptions, fn: (wait: WaitSpan) => T): T {
    return runInSpan((given?: WaitOptions) => this.startWait(given), options, fn)
  }

  startWait(options?: WaitOptions): LiveWait {
    return new LiveWait(this, options)
  }

  protected override ending(): void {
    this.write({ completed: this.state !== 'interrupted' && this.state !== 'waiting' })
    for (const [key, tokens] of Object.entries(this.#usage())) this.put(key, tokens)
  }

  protected override describe(): Attributes {
    return { ...super.describe(), ...this.#usage() }
  }

  protected override get openState(): State {
    if (this.isWaiting) return 'waiting'
    const hasBegun = this.childCount('agent') > 0
    if (this.run.isPlanning) return hasBegun ? 'updating' : 'planning'
    return hasBegun ? 'running' : 'planning'
  }

  #usage(): Record<string, number> {
    const { usage } = this.run
    if (!usage) return {}
    return {
      [ATTR.usageRollupInputTokens]: usage.input,
      [ATTR.usageRollupOutputTokens]: usage.output,
      [ATTR.usageRollupTotalTokens]: usage.input + usage.output,
    }
  }

  #agentBegan(currentStepIndex: number | undefined): void {
    if (currentStepIndex === undefined) this.changed()
    else this.write({ currentStepIndex })
  }

  #revised(steps: readonly unknown[], revision: number, reason: unknown): void {
    if (this.ended) return
    const values = stepValues(steps)
    // A list of texts replaces an earlier list of objects, which the SDK cannot remove.
    const stepsJson = values.stepsJson ?? (this.#hasStepObjects ? [] : undefined)
    this.#hasStepObjects ||= stepsJson !== undefined
    this.write({ ...values, stepsJson, revision })
    const said = this.contentText(ATTR.planUpdateReason, reason)
    // A planning has its steps. A plan that is started with its steps has none.
    const begunWith = this.run.isPlanning ? [] : steps.flatMap((step) => this.contentText(ATTR.planSteps, step) ?? [])
    this.event(revision === 1 ? EVENTS.planCreated : EVENTS.planUpdated, {
      [ATTR.planRevision]: revision,
      ...(said !== undefined && { [ATTR.planUpdateReason]: said }),
      ...(begunWith.length > 0 && { [ATTR.planSteps]: begunWith }),
    })
  }

  #reviewed(reviews: readonly Review[], actor: string | undefined): void {
    const last = reviews.at(-1)
    if (!last || this.ended) return
    const { attempt, action } = last
    if (action === 'ABORT') this.cancel()
    this.write({ reviewLog: reviews, reviewCount: this.run.reviewCount, reviewFinalAction: action })
    const feedback = this.contentText(ATTR.reviewFeedback, last.feedback)
    this.event(EVENTS.review, {
      [ATTR.reviewAttempt]: attempt,
      [ATTR.reviewAction]: action,
      ...(feedback !== undefined && { [ATTR.reviewFeedback]: feedback }),
      ...(actor !== undefined && { [ATTR.waitActor]: actor }),
    })
  }
}
