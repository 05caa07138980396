export {
  atifAgentSchema,
  atifContentPartSchema,
  atifFinalMetricsSchema,
  atifMessageSchema,
  atifMetricsSchema,
  atifObservationSchema,
  atifResultSchema,
  atifStepSchema,
  atifSubagentRefSchema,
  atifToolCallSchema,
  atifTrajectorySchema,
} from './atif.js'
export type { AtifMessage, AtifStep, AtifTrajectory } from './atif.js'
export {
  actToolInfoSchema,
  agentExecutionRecordSchema,
  localDateTimeSchema,
  planExecutionRecordSchema,
  thinkActRecordSchema,
  userInputWaitStateSchema,
} from './plan-execution.js'
export type {
  ActToolInfo,
  AgentExecutionRecord,
  PlanExecutionRecord,
  ThinkActRecord,
  UserInputWaitState,
} from './plan-execution.js'
export {
  plannerPlanSchema,
  plannerStepSchema,
  planRunRecordSchema,
  researcherCallSchema,
  researcherMetricsSchema,
  researchNoteSchema,
  reviewLogEntrySchema,
} from './review-log.js'
export type {
  PlannerPlan,
  PlannerStep,
  PlanRunRecord,
  ResearcherCall,
  ResearcherMetrics,
  ResearchNote,
  ReviewLogEntry,
} from './review-log.js'
export {
  actionResultSchema,
  cumulativeStatsSchema,
  executionTrajectorySchema,
  safetyAssessmentSchema,
  safetyInfoSchema,
  taskMetadataSchema,
  tokenUsageSchema,
  trajectoryActionSchema,
  trajectoryErrorSchema,
  trajectoryStampSchema,
  trajectoryStepSchema,
  trajFileSchema,
  trajLineSchema,
  worldModelOutputSchema,
} from './trajectory.js'
export type {
  ActionResult,
  ExecutionTrajectory,
  SafetyAssessment,
  TokenUsage,
  TrajectoryStep,
  TrajLine,
  WorldModelOutput,
} from './trajectory.js'
export {
  executionStatusSchema,
  planActEventSchema,
  planActPlanSchema,
  planActSessionSchema,
  planActShownEventSchema,
  planActShownStepSchema,
  planActStepSchema,
  planActStreamEntrySchema,
} from './plan-act.js'
export type {
  PlanActEvent,
  PlanActPlan,
  PlanActSession,
  PlanActShownEvent,
  PlanActStep,
  PlanActStreamEntry,
} from './plan-act.js'
