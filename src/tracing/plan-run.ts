import type { Attributes, SpanContext, Tracer } from '@opentelemetry/api'
import { randomUUID } from 'node:crypto'

import { defaultStepId } from '../mapping/index.js'
import { ATTR, OPERATIONS, ROLES, SCHEMA_VERSION, SPAN_TYPES, type Role } from '../semconv/index.js'
import { OpenSpans } from './open-spans.js'
import { PlanClock, type Clock } from './plan-clock.js'
import type { PlanToken, TokenWait } from './plan-token.js'

/** The ids that every span of a plan carries. */
interface PlanIdentity {
  readonly planId: string
  readonly rootPlanId: string
  readonly conversationId?: string | undefined
}

const identityAttributes = ({ planId, rootPlanId, conversationId }: PlanIdentity): Attributes =>
  conversationId === undefined
    ? { [ATTR.planId]: planId, [ATTR.planRootId]: rootPlanId }
    : { [ATTR.planId]: planId, [ATTR.planRootId]: rootPlanId, [ATTR.conversationId]: conversationId }

const roleAttributes = (role: Role): Attributes => ({
  [ATTR.spanKind]: role,
  [ATTR.operationName]: OPERATIONS[role],
  [ATTR.openinferenceSpanKind]: SPAN_TYPES[role],
  [ATTR.schemaVersion]: SCHEMA_VERSION,
})

const ROLE_ATTRIBUTES: ReadonlyMap<Role, Attributes> = new Map(ROLES.map((role) => [role, roleAttributes(role)]))

/** The attributes that every span of a role starts with. */
const startAttributes = (role: Role, identity: Attributes): Attributes =>
  Object.freeze({ ...ROLE_ATTRIBUTES.get(role), ...identity })

/** One decision of a reviewer. */
export interface Review {
  readonly attempt: number
  readonly action: string
  readonly feedback?: string | undefined
}

/** The interface through which a run notifies its plan's span. */
interface PlanListener {
  agentBegan(stepIndex: number | undefined): void
  revised(steps: readonly unknown[], revision: number, reason: string | undefined): void
  reviewed(reviews: readonly Review[], actor: string | undefined): void
  waiting(waiting: boolean): void
  /** Called when anything that the run reports about itself has changed. */
  changed(): void
}

interface PlanRunStart {
  readonly identity: PlanIdentity
  readonly tracer: Tracer
  /** The run of the parent plan. */
  readonly parent?: PlanRun | undefined
  /** @default the parent plan's clock */
  readonly clock?: Clock | undefined
  /** The token of the segment that this run continues. */
  readonly resumed?: PlanToken | undefined
}

/** The state that all spans of one run of a plan share. */
export class PlanRun {
  readonly identity: PlanIdentity
  readonly identityAttributes: Attributes
  readonly tracer: Tracer
  readonly clock: Clock
  readonly open: OpenSpans
  /** The index of the plan's segment, from 0. */
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

  /** The tokens of the model calls in the plan and its sub-plans; undefined if none are known. */
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

  /** Records the start of the plan's span. */
  began(span: SpanContext, workflow: string | undefined): void {
    this.#span = span
    this.#workflow = workflow
  }

  /** The token for a later segment; only the outermost plan can be resumed. @default with the most recent open wait */
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

  /** The number of reviews so far, including those of earlier segments. */
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
   * The default id of an agent's step: the same in each segment, so that an agent continues its step, but a different
   * one for each agent that works on the step within this segment.
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

  /** Whether planning is in progress. */
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

  /** Records that the plan was made or revised; returns the revision, 1 for the first. */
  revise(steps: readonly unknown[], reason: string | undefined): number {
    this.#revision++
    this.#listener?.revised(steps, this.#revision, reason)
    return this.#revision
  }

  /** Adds a decision of `actor`; its attempt is numbered from 1 unless it has a number. */
  review({ attempt, ...decision }: Omit<Review, 'attempt'> & { attempt?: number | undefined }, actor?: string): Review {
    const review = { attempt: attempt ?? this.reviewCount + 1, ...decision }
    this.#reviews.push(review)
    this.#listener?.reviewed(this.#reviews, actor)
    return review
  }

  /** Records the start of a wait, in this plan or in a sub-plan. */
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
