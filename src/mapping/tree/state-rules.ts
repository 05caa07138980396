import type { State } from '../../semconv/index.js'

/** The facts that decide the state of a span. With several segments, the latest counts. */
export interface StateFacts {
  /** The end of the span is stored, not only snapshots. */
  readonly ended: boolean
  /** The status is ERROR. */
  readonly hasError: boolean
  /** The span records its own state. An open span is never over, whatever it records. */
  readonly recordsState: boolean
  readonly recordsNoState: boolean
  /** The recorded state is completed, failed, cancelled or interrupted. */
  readonly recordsOver: boolean
  readonly recordsWaiting: boolean
  /** An agent of an imported record whose source system had no state for it, only a word such as IDLE. */
  readonly notBegun: boolean
  readonly isPlan: boolean
  readonly isWait: boolean
  /** The span began, or a wait was last updated, before the latest segment of its root plan began. */
  readonly leftBehind: boolean
  /** A plan above the span is over. */
  readonly belowOver: boolean
  /** A plan above the span was suspended. */
  readonly belowSuspended: boolean
  /**
   * A wait below the span is open. For a plan: a wait in it or in a sub-plan that was updated since its latest segment
   * began.
   */
  readonly awaits: boolean
  /** A root plan that was silent for longer than the heartbeat interval that it announced. */
  readonly isSilent: boolean
  /** An agent of the plan has begun. */
  readonly hasAgent: boolean
}

export type StateFact = keyof StateFacts

/** The state that the span itself records. */
export const AS_RECORDED = 'as recorded'

/** Nothing has begun, so there is no state. */
export const NO_STATE = 'none'

export interface StateRule {
  /** The facts that must all hold. */
  readonly when: readonly StateFact[]
  readonly state: State | typeof AS_RECORDED | typeof NO_STATE
}

/**
 * The rules that decide the state of a span in its tree: the first rule that holds decides, and nothing else does.
 * Facts about the surroundings of a live plan never hold in an imported record.
 */
export const STATE_RULES: readonly StateRule[] = [
  { when: ['ended', 'recordsOver'], state: AS_RECORDED },
  { when: ['ended', 'recordsNoState', 'hasError'], state: 'failed' },
  { when: ['ended', 'recordsNoState', 'notBegun'], state: NO_STATE },
  { when: ['ended', 'recordsNoState'], state: 'completed' },
  { when: ['leftBehind'], state: 'interrupted' },
  { when: ['belowOver'], state: 'interrupted' },
  { when: ['belowSuspended'], state: 'waiting' },
  { when: ['ended'], state: AS_RECORDED },
  { when: ['isWait'], state: 'waiting' },
  { when: ['awaits'], state: 'waiting' },
  { when: ['isPlan', 'recordsWaiting'], state: 'waiting' },
  { when: ['isPlan', 'isSilent'], state: 'interrupted' },
  { when: ['recordsState'], state: AS_RECORDED },
  { when: ['isPlan', 'hasAgent'], state: 'running' },
  { when: ['isPlan'], state: 'planning' },
  { when: [], state: 'running' },
]
