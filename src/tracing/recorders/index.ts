export { createLynxeRecorder } from './lynxe-recorder.js'
export { createManusRecorder } from './manus-recorder.js'
export { createPlannerRecorder } from './planner-recorder.js'
export { createTrajectoryRecorder } from './trajectory-recorder.js'
export type { LynxeStep, LynxeThinkAct, LynxeToolCall, LynxeUserInputWaitState } from './lynxe-arguments.js'
export type { LynxeRecorder, LynxeRecorderOptions } from './lynxe-hooks.js'
export type { ManusRecorder, ManusRecorderOptions } from './manus-recorder.js'
export type { TrajectoryRecorder, TrajectoryRecorderOptions } from './trajectory-recorder.js'
export type { PlannerRecorder, PlannerRecorderOptions, PlannerVersion } from './planner-recorder.js'
export type {
  PlannerMetadata,
  PlannerPlan,
  PlannerReview,
  PlannerSearch,
  PlannerStep,
  PlannerTelemetry,
} from './planner-arguments.js'
