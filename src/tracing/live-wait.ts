import { randomUUID } from 'node:crypto'
import {
  ATTR,
  LINK_TYPES,
  type ReviewAction,
  toWellFormed,
  waitFields,
  type WaitReason,
  type WaitResolution,
} from '../semconv/index.js'
import type { ReviewDecision, WaitAnswer, WaitOptions, WaitSpan } from './handles/wait-span.js'
import { liveFields } from './live-fields.js'
import { LiveSpan } from './live-span.js'
import { formatPlanToken, type TokenWait } from './plan-token.js'
import { readInteger, readOption, readText } from './read-option.js'

const FIELDS = liveFields(waitFields)

export const REVIEW_NAMES: ReadonlySet<string> = new Set<keyof ReviewDecision>(['action', 'feedback', 'attempt'])

const RESOLUTIONS: Readonly<Record<ReviewAction, WaitResolution>> = {
  ACCEPT_PLAN: 'approved',
  REQUEST_CHANGES: 'refused',
  ABORT: 'cancelled',
}

/** A wait for a person (`wait_for_user`). A refused, expired or cancelled wait is not an error. */
export class LiveWait extends LiveSpan implements WaitSpan {
  readonly #wait: TokenWait
  #resolution: WaitResolution | undefined

  /** Made by `wait` and `startWait` of the span above; by `resume` from the wait of an earlier segment. */
  constructor(parent: LiveSpan, options?: WaitOptions, resumed?: TokenWait) {
    const waitId = resumed?.id ?? `wait-${randomUUID()}`
    const links = resumed?.span && [{ context: resumed.span, attributes: { [ATTR.linkType]: LINK_TYPES.resumedFrom } }]
    const { startTime } = resumed ?? {}
    super({ role: 'wait', fields: FIELDS, parent, options, links, startTime, values: { waitId, waiting: true } })
    this.write({ waitPlanId: this.run.identity.rootPlanId })
    const reason = readText(options, 'reason') as WaitReason | undefined
    this.#wait = { id: waitId, span: this.spanContext, startTime: this.startTime, reason }
    this.run.waitBegan(this.#wait)
    this.countWait(1)
  }

  set(values: WaitOptions): void {
    this.write(values)
  }

  answer(answer: WaitAnswer): void {
    this.#resolution = readOption(answer, 'resolution') ?? this.#resolution
    this.write(answer, 'formInputs')
    this.write({ formAnswers: readOption(answer, 'formInputs') })
  }

  review(decision: ReviewDecision, actor?: string): void {
    this.check('a review', decision, REVIEW_NAMES)
    const action = readText(decision, 'action') as ReviewAction | undefined
    if (action === undefined || this.ended) return
    const feedback = readText(decision, 'feedback')
    const by = typeof actor === 'string' && actor !== '' ? toWellFormed(actor) : undefined
    const { attempt } = this.run.review({ action, feedback, attempt: readInteger(decision, 'attempt') }, by)
    this.write({ reviewAttempt: attempt, reviewAction: action, reviewFeedback: feedback })
    this.answer({ resolution: RESOLUTIONS[action], actor })
  }

  suspend(): string {
    const token = formatPlanToken(this.run.token(this.#wait))
    this.suspendWithParents()
    return token
  }

  protected override ending(): void {
    if (this.state === 'interrupted' || this.state === 'waiting') return
    this.run.waitEnded(this.#wait)
    this.countWait(-1)
    if (this.state === 'completed' && this.#resolution !== undefined && !ANSWERED.has(this.#resolution)) {
      this.state = 'cancelled'
    }
    this.write({ waiting: false, resolution: this.#resolution })
  }
}

const ANSWERED: ReadonlySet<WaitResolution> = new Set<WaitResolution>(['submitted', 'approved'])
