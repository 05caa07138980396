export { type FoldedSpan, foldSpans } from './fold.js'
export { oneLine } from './one-line.js'
export { buildForest, type ForestOptions } from './forest.js'
export { childrenKey } from './gaps.js'
export { hashId } from './hash-id.js'
export { joinAgents, stepsWithoutCycles } from './join-agents.js'
export { breakCircles } from './link-spans.js'
export { isMissingPlan, isPlanHead } from './missing-plans.js'
export { isLogEvent, withLogEvents } from './log-events.js'
export { durationOf, endOf, type PlanProgress, progressOf, silentAt } from './plan-progress.js'
export { reviewLogOf } from './recorded-reviews.js'
export { FinalSpans, SpanBuffer } from './span-buffer.js'
export {
  errorsOf,
  errorsWithin,
  errorText,
  errorTextOf,
  errorTexts,
  exceptionsOf,
  type SpanError,
} from './span-errors.js'
export {
  ancestors,
  bySeq,
  childrenInOrder,
  fromBelow,
  isForeignRecord,
  isSubPlan,
  nearest,
  nodesOf,
  NOTHING_AROUND,
  ownNodes,
  recordOriginOf,
  seqOf,
  type SpanNode,
  walk,
} from './span-node.js'
export type { StateFact } from './state-rules.js'
export { isAwaited, isOpenWait, isUnfinished, lastingState, stateIfBegun, stateOf, stateOfWord } from './state.js'
export { toStoredSpan } from './stored-span.js'
export { droppedValues, type Gap, isRedacted, missingSpans, unreadTimes, verdictOf } from './verdict.js'
export { byEnd, byStart, compare } from './span-order.js'
