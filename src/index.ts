export { PlanspanError } from './error.js'
export { decodeRecord, DIALECT_NAMES, encodeRecords, isDialectName } from './mapping/index.js'
export { dropCounts, plan, PlanspanProcessor, register, startPlan, wrapExporter } from './tracing/index.js'
export { ATTR } from './semconv/index.js'
export type { PlanspanErrorCode } from './error.js'
export type {
  AttributeValue,
  DecodedRecord,
  DecodeOptions,
  DialectName,
  EncodedRecord,
  EncodeOptions,
  RecordForm,
  Span,
  StoredSpan,
} from './mapping/index.js'
export type { ReviewAction, State, Verdict, WaitReason, WaitResolution } from './semconv/index.js'
export type {
  AgentOptions,
  AgentSpan,
  CycleOptions,
  CycleSpan,
  GuardrailOptions,
  GuardrailSpan,
  ModelOptions,
  ModelSpan,
  PlanMessage,
  PlanningOptions,
  PlanningSpan,
  PlanOptions,
  PlanSpan,
  PlanUpdate,
  PlanValues,
  RedactOptions,
  RegisterOptions,
  Registration,
  ReviewDecision,
  Risk,
  SpanExporterLike,
  SpanProcessorLike,
  ToolOptions,
  ToolSpan,
  Usage,
  WaitAnswer,
  WaitOptions,
  WaitSpan,
  WorldModel,
  WrapExporterOptions,
} from './tracing/index.js'
