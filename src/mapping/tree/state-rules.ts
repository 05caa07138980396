import type { State } from '../../semconv/index.js'

/** What is known of a span when its state is decided. Of what several segments tell, the latest counts. */
export interface StateFacts {
  /** Its end is stored, and not snapshots alone. */
  readonly ended: boolean
  /** Its status is ERROR. */
  readonly hasError: boolean
  /** It says where it stands itself; one that has not ended is not over, whatever it says. */
  readonly tells: boolean
  readonly tellsNothing: boolean
  /** It says that it is over: completed, failed, cancelled or interrupted. */
  readonly tellsOver: boolean
  readonly tellsWaiting: boolean
  /** An agent of an imported plan of which the source system had no word for a state but, say, IDLE. */
  readonly notBegun: boolean
  readonly isPlan: boolean
  readonly isWait: boolean
  /** It had begun, or of a wait was last heard of, before the latest segment of its outermost plan began. */
  readonly leftBehind: boolean
  /** A plan above it is over. */
  readonly belowOver: boolean
  /** A plan above it was suspended. */
  readonly belowSuspended: boolean
  /** A wait is open below it; of a plan one in it or a sub-plan, heard of since its latest segment began. */
  readonly awaits: boolean
  /** An outermost plan of which nothing was heard for longer than it announced. */
  readonly isSilent: boolean
  /** An agent of the plan has begun. */
  readonly hasAgent: boolean
}

export type StateFact = keyof StateFacts

/** The state that the span itself tells. */
export const AS_TOLD = 'as told'

/** Nothing has begun, so that there is no state. */
export const NO_STATE = 'none'

export interface StateRule {
  /** All of these hold. */
  readonly when: readonly StateFact[]
  readonly state: State | typeof AS_TOLD | typeof NO_STATE
}

/**
 * The state of a span in its tree: that of the first rule that holds. Nothing else decides a state. Those of a live
 * plan's surroundings never hold in an imported record.
 */
export const STATE_RULES: readonly StateRule[] = [
  { when: ['ended', 'tellsOver'], state: AS_TOLD },
  { when: ['ended', 'tellsNothing', 'hasError'], state: 'failed' },
  { when: ['ended', 'tellsNothing', 'notBegun'], state: NO_STATE },
  { when: ['ended', 'tellsNothing'], state: 'completed' },
  { when: ['leftBehind'], state: 'interrupted' },
  { when: ['belowOver'], state: 'interrupted' },
  { when: ['belowSuspended'], state: 'waiting' },
  { when: ['ended'], state: AS_TOLD },
  { when: ['isWait'], state: 'waiting' },
  { when: ['awaits'], state: 'waiting' },
  { when: ['isPlan', 'tellsWaiting'], state: 'waiting' },
  { when: ['isPlan', 'isSilent'], state: 'interrupted' },
  { when: ['tells'], state: AS_TOLD },
  { when: ['isPlan', 'hasAgent'], state: 'running' },
  { when: ['isPlan'], state: 'planning' },
  { when: [], state: 'running' },
]
