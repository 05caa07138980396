import { waitFields } from '../mapping/fields/index.js'
import type { ReviewAction, WaitReason, WaitResolution } from '../semconv/index.js'
import { liveFields } from './live-fields.js'
import { LiveSpan } from './live-span.js'
import { readInteger, readOption, readText } from './read-option.js'

const FIELDS = liveFields(waitFields)

export interface WaitOptions {
  reason?: WaitReason | undefined
  /** The title of the form. */
  title?: string | undefined
  /** What the person is asked. */
  formDescription?: string | undefined
  /** The inputs of the form, a list of objects. */
  formInputs?: unknown
}

/** How a person answered. */
export interface WaitAnswer {
  resolution?: WaitResolution | undefined
  /** Who answered. */
  actor?: string | undefined
  /** The inputs of the form as they were filled in. */
  formInputs?: unknown
}

/** A reviewer's decision on a plan. */
export interface ReviewDecision {
  action: ReviewAction
  feedback?: string | undefined
  /** Which attempt at the plan was reviewed. @default one more than the last */
  attempt?: number | undefined
}

const RESOLUTIONS: Readonly<Record<ReviewAction, WaitResolution>> = {
  ACCEPT_PLAN: 'approved',
  REQUEST_CHANGES: 'refused',
  ABORT: 'cancelled',
}

/** Waiting for a person (`wait_for_user`). A refused or expired wait is no error. */
export class WaitSpan extends LiveSpan {
  #resolution: WaitResolution | undefined

  /** Made by `wait` and `startWait` of the span above. */
  constructor(parent: LiveSpan, options?: WaitOptions) {
    super({ role: 'wait', fields: FIELDS, parent, options, values: { waiting: true } })
    this.write({ waitPlanId: this.run.identity.rootPlanId })
    this.run.waitBegan()
    this.countWait(1)
  }

  set(values: WaitOptions): void {
    this.write(values)
  }

  answer(answer: WaitAnswer): void {
    this.#resolution = readOption(answer, 'resolution') ?? this.#resolution
    this.write(answer)
  }

  /** The answer to a plan review; stands on the plan's review log, too. An ABORT cancels the plan. */
  review(decision: ReviewDecision, actor?: string): void {
    const action = readText(decision, 'action') as ReviewAction | undefined
    if (action === undefined || this.ended) return
    const feedback = readText(decision, 'feedback')
    const { attempt } = this.run.review({ action, feedback, attempt: readInteger(decision, 'attempt') })
    this.write({ reviewAttempt: attempt, reviewAction: action, reviewFeedback: feedback })
    this.answer({ resolution: RESOLUTIONS[action], actor })
  }

  protected override ending(): void {
    if (this.state === 'interrupted') return
    this.run.waitEnded()
    this.countWait(-1)
    if (this.state === 'completed' && this.#resolution !== undefined && !ANSWERED.has(this.#resolution)) {
      this.state = 'cancelled'
    }
    this.write({ waiting: false, resolution: this.#resolution })
  }
}

const ANSWERED: ReadonlySet<WaitResolution> = new Set<WaitResolution>(['submitted', 'approved'])
