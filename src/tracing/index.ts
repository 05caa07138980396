export { plan, startPlan } from './plan.js'
export { dropCounts } from './drops.js'
export { createLynxeRecorder, createManusRecorder, createTrajectoryRecorder } from './recorders/index.js'
export { PendingSpanProcessor } from './pending/pending-span-processor.js'
export { register } from './register.js'
export { PlanspanProcessor } from './span-processor.js'
export { wrapExporter } from './export/wrap-exporter.js'
export type { AgentOptions, AgentSpan, AgentValues } from './agent-span.js'
export type { CycleOptions, CycleSpan, CycleValues } from './cycle-span.js'
export type { DropKind } from './drops.js'
export type { GuardrailOptions, GuardrailSpan, Risk, WorldModel } from './guardrail-span.js'
export type { ModelOptions, ModelSpan, ModelValues, Usage } from './model-span.js'
export type { PendingSpanOptions } from './pending/pending-span-processor.js'
export type { PlanMessage, PlanOptions, PlanSpan, PlanUpdate, PlanValues } from './plan-span.js'
export type { PlanningOptions, PlanningSpan } from './planning-span.js'
export type {
  LynxeRecorder,
  LynxeStep,
  LynxeThinkAct,
  LynxeToolCall,
  ManusRecorder,
  ManusRecorderOptions,
  TrajectoryRecorder,
  TrajectoryRecorderOptions,
} from './recorders/index.js'
export { resume, startResume } from './resume.js'
export type { RegisterOptions, Registration } from './register.js'
export type { SpanExporterLike, SpanLike, SpanProcessorLike, StartedSpanLike } from './sdk-types.js'
export type { ToolOptions, ToolSpan, ToolValues } from './tool-span.js'
export type { ResumeOptions } from './resume.js'
export type { ReviewDecision, WaitAnswer, WaitOptions, WaitSpan } from './wait-span.js'
export type { WrapExporterOptions } from './export/wrap-exporter.js'
