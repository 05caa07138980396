export {
  continuationsOf,
  figuresOf,
  isOutline,
  type KnownEnd,
  outlineFacts,
  stateTextOf,
  traceFacts,
  usageRoleOf,
  type PlacedSpan,
  type PlanFacts,
  type PlanFigures,
  type TraceFacts,
  type TracePlan,
} from './facts/index.js'
export {
  type CallTokens,
  costOf,
  type ModelPrice,
  totalTokensOf,
  type CostOfCall,
  pricedBy,
  usageBelow,
  type TokenUsage,
} from './usage/index.js'
export {
  CODING_AGENTS,
  explainTrace,
  isForeign,
  isGuardrail,
  type PlanEnd,
  PROMPT_KEYS,
  SESSION_KEYS,
  type SpanReading,
  CONVENTIONS,
  type Convention,
  type Kind,
  type KindRule,
  type Place,
} from './adopt/index.js'
export { assembleSpans } from './assemble-spans.js'
export {
  hashId,
  childrenInOrder,
  errorsOf,
  errorTextOf,
  foldSpans,
  FinalSpans,
  isLogEvent,
  withLogEvents,
  SpanBuffer,
  durationOf,
  endOf,
  isMissingPlan,
  missingSpans,
  isUnfinished,
  buildForest,
  type FoldedSpan,
  joinAgents,
  stepsWithoutCycles,
  stateIfBegun,
  type StateFact,
  toStoredSpan,
  walk,
  type SpanNode,
} from './tree/index.js'
export {
  DIALECT_NAMES,
  type DialectName,
  framingOf,
  isDialectName,
  WRITTEN_FORMATS,
  type WrittenFormat,
  draft,
  type EventDraft,
  type SpanDraft,
} from './dialects/index.js'
export {
  comparePlans,
  DIFFERENCES,
  planTotals,
  planTree,
  ROW_KINDS,
  setTotals,
  UNIT_KINDS,
  type ComparedRow,
  type PairComparison,
  type PlanTotals,
  type SetMember,
  type SetTotals,
  type Side,
} from './compare/index.js'
export { CHAT_UNITS, type ChatUnit } from './chat/index.js'
export type { FactKind, LeftOut } from './conversion/index.js'
export { decodeRecord } from './decode-record.js'
export type { DecodedRecord, DecodeOptions, RecordForm } from './decode-record.js'
export { decodeEvents } from './decode-events.js'
export type { EventsOf, PlanEvents } from './decode-events.js'
export { errorFrame, withEventIds, type EventFrame, type EventStream } from './dialects/plan-act/index.js'
export { emptyFile, encodeRecords, recordEncoder } from './encode-records.js'
export type { EncodedRecord, EncodeOptions } from './encode-records.js'
export {
  actionKey,
  actionOf,
  type Failure,
  faultsOf,
  type Faults,
  isJudgedByArguments,
  isNotTaken,
  judgedCalls,
  judgementOf,
  type PersonWait,
  type RiskyAction,
} from './faults/index.js'
export { compareGenerations, decidingGeneration } from './generations.js'
export type { Generation } from './generations.js'
export {
  readDocument,
  RecordStream,
  type BadRecord,
  type FoundRecord,
  type RecordStreamOptions,
} from './stream/index.js'
export {
  planCourses,
  type PlanCourse,
  planOutline,
  planTop,
  type PlanOutline,
  latestSteps,
  placesOfAgents,
  type PlanStep,
  defaultStepId,
  planOfStep,
  type StepProgress,
  treeSpans,
  type TreeSpan,
  type PlannedStep,
  plannedWork,
  reviewsOf,
} from './plan/index.js'
export { checkTimeZone, isoOf, unixNanoOf } from './record-object/index.js'
