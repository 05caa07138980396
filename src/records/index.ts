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
