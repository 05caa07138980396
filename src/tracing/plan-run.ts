import type { Attributes, Tracer } from '@opentelemetry/api'
import { OpenSpans } from './open-spans.js'
import { PlanClock, type Clock } from './plan-clock.js'
import type { Role } from '../semconv/index.js'
import { identityAttributes, startAttributes, type PlanIdentity } from './plan-identity.js'

/** One decision of a reviewer. */
export interface Review {
  readonly attempt: number
  readonly action: string
  readonly feedback?: string | undefined
}

/** What a run tells its plan's span. */
export interface PlanListener {
  agentBegan(stepIndex: number | undefined): void
  revised(steps: readonly unknown[], revision: number, reason: string | undefined): void
  reviewed(reviews: readonly Review[]): void
  waiting(waiting: boolean): void
  /** What the run tells of itself is another now. */
  changed(): void
}

/** What all spans of one plan's run share. */
export class PlanRun {
  readonly identity: PlanIdentity
  readonly identityAttributes: Attributes
  readonly tracer: Tracer
  readonly clock: Clock
  readonly open: OpenSpans
  readonly #parent: PlanRun | undefined
  readonly #startAttributes = new Map<Role, Attributes>()
  readonly #reviews: Review[] = []
  #listener: PlanListener | undefined
  #revision = 0
  #openWaits = 0
  #openPlannings = 0
  #usage: { input: number; output: number } | undefined

  constructor(identity: PlanIdentity, tracer: Tracer, parent: PlanRun | undefined, clock?: Clock) {
    this.identity = identity
    this.identityAttributes = identityAttributes(identity)
    this.tracer = tracer
    this.clock = clock ?? parent?.clock ?? new PlanClock()
    this.open = parent?.open ?? new OpenSpans()
    this.#parent = parent
  }

  /** Tokens of the plan's own model calls and of its sub-plans’; undefined when none has told any. */
  get usage(): { readonly input: number; readonly output: number } | undefined {
    return this.#usage
  }

  /** What every span of a role starts with in this plan. */
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

  addUsage(input: number, output: number): void {
    const { input: before = 0, output: written = 0 } = this.#usage ?? {}
    this.#usage = { input: before + input, output: written + output }
    this.#listener?.changed()
    this.#parent?.addUsage(input, output)
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
    const review = { attempt: attempt ?? this.#reviews.length + 1, ...decision }
    this.#reviews.push(review)
    this.#listener?.reviewed(this.#reviews)
    return review
  }

  waitBegan(): void {
    this.#openWaits++
    if (this.#openWaits === 1) this.#listener?.waiting(true)
  }

  waitEnded(): void {
    this.#openWaits--
    if (this.#openWaits === 0) this.#listener?.waiting(false)
  }
}
