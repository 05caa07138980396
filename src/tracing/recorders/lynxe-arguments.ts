/** A step of a Lynxe plan (ExecutionStep). */
export interface LynxeStep {
  /** Unique over all plans. */
  stepId: string
  /** From 0. @default its place in the plan */
  stepIndex?: number | null | undefined
  /** The task, after the agent's name in brackets: `[WRITER] write an article`. */
  stepRequirement?: string | null | undefined
  agentName?: string | null | undefined
  modelName?: string | null | undefined
  result?: string | null | undefined
  errorMessage?: string | null | undefined
  /** The agent at work, once there is one. */
  agent?: { name?: string | null | undefined; description?: string | null | undefined } | null | undefined
}

/** A tool call of Lynxe (ActToolParam). */
export interface LynxeToolCall {
  name: string
  /** JSON text. */
  parameters?: string | null | undefined
  /** Null while the tool is at work. */
  result?: string | null | undefined
  toolCallId: string
}

/** An agent's thought and the calls that it decided on (ThinkActRecordParams). */
export interface LynxeThinkAct {
  thinkInput?: string | null | undefined
  thinkOutput?: string | null | undefined
  errorMessage?: string | null | undefined
  /** Characters. */
  inputCharCount?: number | null | undefined
  /** Characters. */
  outputCharCount?: number | null | undefined
  /** Tokens. */
  modelContextLimit?: number | null | undefined
  actToolInfoList?: readonly LynxeToolCall[] | null | undefined
}
