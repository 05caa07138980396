import type { Attributes, Context, Link } from '@opentelemetry/api'
import { ATTR, EVENTS, planFields, type State } from '../semconv/index.js'
import { AgentSpan, type AgentOptions } from './agent-span.js'
import { liveFields } from './live-fields.js'
import { LiveSpan } from './live-span.js'
import type { PlanRun, Review } from './plan-run.js'
import { formatPlanToken } from './plan-token.js'
import { PlanningSpan, type PlanningOptions } from './planning-span.js'
import { readInteger, readOption, readText } from './read-option.js'
import { runInSpan } from './run-in-span.js'
import { WaitSpan, type ReviewDecision, type WaitOptions } from './wait-span.js'

const FIELDS = liveFields(planFields)

/** What is known of a plan. */
export interface PlanValues {
  title?: string | undefined
  /** What the user asked for: text, or chat messages. */
  request?: unknown
  /** The model for the whole plan. */
  modelName?: string | undefined
}

export interface PlanOptions extends PlanValues {
  /** The kind of plan, low cardinality. */
  workflow?: string | undefined
  /** Unique over all plans. @default `plan-` and a random UUID */
  planId?: string | undefined
  /** The conversation or session. @default the one of the plan above */
  conversationId?: string | undefined
  /** The steps, when they are known from the start. */
  steps?: readonly unknown[] | undefined
}

/** A new set of steps. */
export interface PlanUpdate extends PlanningOptions {
  steps: readonly unknown[]
}

/** A message between the user and the plan's agents. */
export interface PlanMessage {
  /** `user`, `assistant`, … */
  role: string
  content: unknown
}

/** What a plan is started with. */
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
export class PlanSpan extends LiveSpan {
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
    run.began(this.spanContext, subject)
    run.listen({
      agentBegan: (currentStepIndex) => this.#agentBegan(currentStepIndex),
      revised: (steps, revision, reason) => this.#revised(steps, revision, reason),
      reviewed: (reviews) => this.#reviewed(reviews),
      waiting: (waiting) => this.write({ waiting }),
      changed: () => this.changed(),
    })
    const steps = readOption(options, 'steps')
    if (Array.isArray(steps)) run.revise(steps, undefined)
  }

  /** The id under which the plan's record is found. */
  get planId(): string {
    return this.run.identity.planId
  }

  /** The id of the outermost plan; a plan that is no sub-plan is its own. */
  get rootPlanId(): string {
    return this.run.identity.rootPlanId
  }

  /**
   * What `resume` goes on with when this process is gone: a text of letters, digits, `.`, `_` and `-` for a database row
   * or URL, ids and no content. It can be had from the start; a later one also knows the wait that is open and how many
   * reviews there were. A sub-plan gives its outermost plan's.
   */
  get token(): string {
    return formatPlanToken(this.run.token())
  }

  set(values: PlanValues): void {
    this.write(values)
  }

  /** The closing summary. */
  summary(summary: string): void {
    this.write({ summary })
  }

  /** The structured result of the plan. */
  result(result: unknown): void {
    this.write({ result })
  }

  /** A new set of steps, made without a planning callback. */
  update(update: PlanUpdate): void {
    const planning = this.startPlanning(update)
    planning.steps(readOption(update, 'steps') ?? [])
    planning.end()
  }

  /** A reviewer's decision that no wait was recorded for. An ABORT cancels the plan. */
  review(decision: ReviewDecision): void {
    const action = readText(decision, 'action')
    if (action === undefined || this.ended) return
    this.run.review({
      action,
      feedback: readText(decision, 'feedback'),
      attempt: readInteger(decision, 'attempt'),
    })
  }

  /** A message, as an event of the plan. */
  message(message: PlanMessage): void {
    const role = readText(message, 'role')
    const content = this.contentText(ATTR.messageContent, readOption(message, 'content'))
    this.event(EVENTS.message, {
      ...(role !== undefined && { [ATTR.messageRole]: role }),
      ...(content !== undefined && { [ATTR.messageContent]: content }),
    })
  }

  planning<T>(options: PlanningOptions, fn: (planning: PlanningSpan) => T): T {
    return runInSpan(this.startPlanning(options), fn)
  }

  startPlanning(options?: PlanningOptions): PlanningSpan {
    return new PlanningSpan(this, options)
  }

  agent<T>(options: AgentOptions, fn: (agent: AgentSpan) => T): T {
    return runInSpan(this.startAgent(options), fn)
  }

  startAgent(options?: AgentOptions): AgentSpan {
    return new AgentSpan(this, options)
  }

  wait<T>(options: WaitOptions, fn: (wait: WaitSpan) => T): T {
    return runInSpan(this.startWait(options), fn)
  }

  startWait(options?: WaitOptions): WaitSpan {
    return new WaitSpan(this, options)
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
    this.write({ steps, revision })
    const said = this.contentText(ATTR.planUpdateReason, reason)
    this.event(revision === 1 ? EVENTS.planCreated : EVENTS.planUpdated, {
      [ATTR.planRevision]: revision,
      ...(said !== undefined && { [ATTR.planUpdateReason]: said }),
    })
  }

  #reviewed(reviews: readonly Review[]): void {
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
    })
  }
}
