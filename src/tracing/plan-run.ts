import { randomUUID } from 'node:crypto'
import type { Attributes, SpanContext, Tracer } from '@opentelemetry/api'
import { OpenSpans } from './open-spans.js'
import { PlanClock, type Clock } from './plan-clock.js'
import { defaultStepId } from '../mapping/index.js'
import type { Role } from '../semconv/index.js'
import { identityAttributes, startAttributes, type PlanIdentity } from './plan-identity.js'
import type { PlanToken, TokenWait } from './plan-token.js'

/** One decision of a reviewer. */
export interface Review {
  readonly attempt: number
  readonly action: string
  readonly feedback?: string | undefined
}

/** The notices of a run to its plan's span. */
export interface PlanListener {
  agentBegan(stepIndex: number | undefined): void
  revised(steps: readonly unknown[], revision: number, reason: string | undefined): void
  reviewed(reviews: readonly Review[]): void
  waiting(waiting: boolean): void
  /** Something that the run reports about itself has changed. */
  changed(): void
}

export interface PlanRunStart {
  readonly identity: PlanIdentity
  readonly tracer: Tracer
  /** The run of the plan above. */
  readonly parent?: PlanRun | undefined
  /** @default the clock of the plan above */
  readonly clock?: Clock | undefined
  /** The segment of the plan that this one goes on from. */
  readonly resumed?: PlanToken | undefined
}

/** The state that all spans of one run of a plan share. */
export class PlanRun {
  readonly identity: PlanIdentity
  readonly identityAttributes: Attributes
  readonly tracer: Tracer
  readonly clock: Clock
  readonly open: OpenSpans
  /** Which segment of the plan it is, from 0. */
  readonly segment: number
  readonly #parent: PlanRun | undefined
  readonly #startAttributes = new Map<Role, Attributes>()
  readonly #reviews: Review[] = []
  readonly #waits = new Set<TokenWait>()
  readonly #earlierReviews: number
  #listener: PlanListener | undefined
  readonly #agentsOfStep = new Map<number, number>()
  #revision: number
  #openPlannings = 0
  #usage: { input: number; output: number } | undefined

  #span: SpanContext | undefined
  #workflow: string | undefined

  constructor({ identity, tracer, parent, clock, resumed }: PlanRunStart) {
    this.identity = identity
    this.identityAttributes = identityAttributes(identity)
    this.tracer = tracer
    this.clock = clock ?? parent?.clock ?? new PlanClock()
    this.open = parent?.open ?? new OpenSpans()
    this.segment = resumed ? resumed.segment + 1 : 0
    this.#parent = parent
    this.#revision = resumed?.revision ?? 0
    this.#earlierReviews = resumed?.reviews ?? 0
  }

  /** Tokens of the plan's own model calls and of its sub-plans’; undefined when none has told any. */
  get usage(): { readonly input: number; readonly output: number } | undefined {
    return this.#usage
  }

  /** The attributes that every span of a role starts with in this plan. */
  startAttributes(role: Role): Attributes {
    let attributes = this.#startAttributes.get(role)
    if (!attributes) {
      attributes = startAttributes(role, this.identityAttributes)
      this.#startAttributes.set(role, attributes)
    }
    return attributes
  }

  listen(listener: PlanListener): void {
    this.#listener = listener
  }

  /** The plan's span has started. */
  began(span: SpanContext, workflow: string | undefined): void {
    this.#span = span
    this.#workflow = workflow
  }

  /** The token for a later segment; only the outermost plan can be resumed. @default with the wait begun last */
  token(wait: TokenWait | undefined = [...this.#waits].at(-1)): PlanToken {
    if (this.#parent) return this.#parent.token(wait)
    return {
      span: this.#span,
      planId: this.identity.planId,
      conversationId: this.identity.conversationId,
      workflow: this.#workflow,
      segment: this.segment,
      revision: this.#revision,
      reviews: this.reviewCount,
      wait,
    }
  }

  /** How many reviews there have been, those of earlier segments included. */
  get reviewCount(): number {
    return this.#earlierReviews + this.#reviews.length
  }

  addUsage(input: number, output: number): void {
    const { input: before = 0, output: written = 0 } = this.#usage ?? {}
    this.#usage = { input: before + input, output: written + output }
    this.#listener?.changed()
    this.#parent?.addUsage(input, output)
  }

  /**
   * The id of an agent's step that was given none: the same in each segment, so that an agent goes on with its step,
   * and another one for each agent that works on the step in this segment.
   */
  stepId(stepIndex: number | undefined): string {
    if (stepIndex === undefined) return `step-${randomUUID()}`
    const agents = (this.#agentsOfStep.get(stepIndex) ?? 0) + 1
    this.#agentsOfStep.set(stepIndex, agents)
    return `${defaultStepId(this.identity.planId, stepIndex)}${agents === 1 ? '' : `-${agents}`}`
  }

  agentBegan(stepIndex: number | undefined): void {
    this.#listener?.agentBegan(stepIndex)
  }

  /** Whether the plan is being made or revised. */
  get isPlanning(): boolean {
    return this.#openPlannings > 0
  }

  planningBegan(): void {
    this.#openPlannings++
    this.#listener?.changed()
  }

  planningEnded(): void {
    this.#openPlannings--
    this.#listener?.changed()
  }

  /** The plan has been made or revised; answers the revision, 1 for the first. */
  revise(steps: readonly unknown[], reason: string | undefined): number {
    this.#revision++
    this.#listener?.revised(steps, this.#revision, reason)
    return this.#revision
  }

  /** Adds a decision, numbered from 1 where it has no number of its own. */
  review({ attempt, ...decision }: Omit<Review, 'attempt'> & { attempt?: number | undefined }): Review {
    const review = { attempt: attempt ?? this.reviewCount + 1, ...decision }
    this.#reviews.push(review)
    this.#listener?.reviewed(this.#reviews)
    return review
  }

  /** A person is waited for, in this plan or in a sub-plan of it. */
  waitBegan(wait: TokenWait): void {
    this.#waits.add(wait)
    if (this.#waits.size === 1) this.#listener?.waiting(true)
    this.#parent?.waitBegan(wait)
  }

  waitEnded(wait: TokenWait): void {
    this.#waits.delete(wait)
    if (this.#waits.size === 0) this.#listener?.waiting(false)
    this.#parent?.waitEnded(wait)
  }
}
