export { plan, startPlan } from './plan.js'
export { dropCounts } from './drops.js'
export {
  createLynxeRecorder,
  createManusRecorder,
  createPlannerRecorder,
  createTrajectoryRecorder,
} from './recorders/index.js'
export { PendingSpanProcessor } from './pending/pending-span-processor.js'
export { flush, register } from './register.js'
export { PlanspanProcessor } from './span-processor.js'
export { wrapExporter } from './export/wrap-exporter.js'
export type { AgentOptions, AgentSpan, AgentValues } from './handles/agent-span.js'
export type { CycleOptions, CycleSpan, CycleValues } from './handles/cycle-span.js'
export type { DropKind } from './drops.js'
export type { GuardrailOptions, GuardrailSpan, ProposedAction, Risk, WorldModel } from './handles/guardrail-span.js'
export type { ModelOptions, ModelSpan, ModelValues, ProviderUsage, Usage } from './handles/model-span.js'
export type { PendingSpanOptions } from './pending/pending-span-processor.js'
export type { PlanMessage, PlanOptions, PlanSpan, PlanUpdate, PlanValues } from './handles/plan-span.js'
export type { PlanningOptions, PlanningSpan } from './handles/plan-span.js'
export type {
  LynxeRecorder,
  LynxeRecorderOptions,
  LynxeStep,
  LynxeThinkAct,
  LynxeToolCall,
  LynxeUserInputWaitState,
  ManusRecorder,
  ManusRecorderOptions,
  PlannerMetadata,
  PlannerPlan,
  PlannerRecorder,
  PlannerRecorderOptions,
  PlannerReview,
  PlannerSearch,
  PlannerStep,
  PlannerTelemetry,
  PlannerVersion,
  TrajectoryRecorder,
  TrajectoryRecorderOptions,
} from './recorders/index.js'
export { resume, startResume } from './resume.js'
export type { Registration } from './register.js'
export type { RegisterOptions } from './register-settings.js'
export type { SpanExporterLike, SpanLike, SpanProcessorLike, StartedSpanLike } from './sdk-types.js'
export type { ToolOptions, ToolSpan, ToolValues } from './handles/tool-span.js'
export type { ResumeOptions } from './resume.js'
export type { ReviewDecision, WaitAnswer, WaitOptions, WaitSpan } from './handles/wait-span.js'
export type { WrapExporterOptions } from './export/wrap-exporter.js'
