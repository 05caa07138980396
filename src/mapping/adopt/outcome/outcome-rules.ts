import type { State } from '../../../semconv/index.js'

/** Facts about an ended span of another instrumentation, and about the work below it, that decide its state. */
export interface OutcomeFacts {
  /** A rule about waits or segments decided the state already. */
  readonly isDecided: boolean
  /** The span says that it was cancelled. */
  readonly saysCancelled: boolean
  /** The span has the status ERROR, or says in another way that it failed. */
  readonly saysFailed: boolean
  /** A guardrail stopped the work, and nothing went on after it. */
  readonly leavesStop: boolean
  /** The agent used up its steps, or its answer says so. */
  readonly reachedLimit: boolean
  /** Work below the span failed, and the span recorded an exception, too. */
  readonly letThrough: boolean
  /** The span has an answer, a result or a response of its own. */
  readonly hasAnswer: boolean
  /** The span recorded an exception, though its status is no error. */
  readonly raised: boolean
  /** Work below the span failed, and nothing that began afterwards succeeded. */
  readonly leavesFailure: boolean
  /** Work below the span waits for a person. */
  readonly leavesWait: boolean
  /** Work below the span was cancelled, and nothing that began afterwards succeeded. */
  readonly leavesCancel: boolean
  /** The last call or agent below the span ended without an error and without a response. */
  readonly leavesSilence: boolean
}

export type OutcomeFact = keyof OutcomeFacts

/** The state that another rule decided. */
export const AS_DECIDED = 'as decided'

export interface OutcomeRule {
  /** The fact that must hold. Undefined if the rule always holds. */
  readonly when: OutcomeFact | undefined
  readonly state: State | typeof AS_DECIDED
  /** The reason in words, for an explanation. */
  readonly why: string
}

/**
 * The rules that decide the state of an ended plan, agent, cycle or call of another instrumentation: the first rule
 * that holds decides, and nothing else does. What a span says of itself outranks what its work implies, since
 * frameworks end a root span without an error after a failed run. A failure that was survived counts nowhere above.
 */
export const OUTCOME_RULES: readonly OutcomeRule[] = [
  { when: 'isDecided', state: AS_DECIDED, why: 'a rule for waits or segments' },
  { when: 'saysCancelled', state: 'cancelled', why: 'the span reports a cancellation' },
  { when: 'saysFailed', state: 'failed', why: 'the span reports an error' },
  { when: 'leavesStop', state: 'failed', why: 'a guardrail stopped the work, and nothing followed' },
  { when: 'reachedLimit', state: 'failed', why: 'the agent reached a limit' },
  { when: 'letThrough', state: 'failed', why: 'work below failed, and its exception reached the span' },
  { when: 'hasAnswer', state: 'completed', why: 'the span has an answer' },
  { when: 'raised', state: 'failed', why: 'the span has an exception and no answer' },
  { when: 'leavesFailure', state: 'failed', why: 'work below failed, and nothing that began later succeeded' },
  { when: 'leavesWait', state: 'waiting', why: 'work below waits for a person' },
  { when: 'leavesCancel', state: 'cancelled', why: 'work below was cancelled, and nothing that began later succeeded' },
  { when: 'leavesSilence', state: 'cancelled', why: 'the last work below has neither a response nor an error' },
  { when: undefined, state: 'completed', why: 'the span ended, and nothing says that it failed' },
]
