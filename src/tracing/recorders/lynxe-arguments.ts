/** A step of a Lynxe plan (ExecutionStep). */
export interface LynxeStep {
  /** Unique over all plans. */
  stepId: string
  /** The index, from 0. @default its position in the plan */
  stepIndex?: number | null | undefined
  /** The task, with the agent's name in brackets before it: `[WRITER] write an article`. */
  stepRequirement?: string | null | undefined
  agentName?: string | null | undefined
  modelName?: string | null | undefined
  result?: string | null | undefined
  errorMessage?: string | null | undefined
  /** The agent, once there is one. */
  agent?: { name?: string | null | undefined; description?: string | null | undefined } | null | undefined
}

/** A tool call of Lynxe (ActToolParam). */
export interface LynxeToolCall {
  name: string
  /** The parameters, JSON text. */
  parameters?: string | null | undefined
  /** The result; null while the tool is running. */
  result?: string | null | undefined
  toolCallId: string
}

/** An agent's thought and the tool calls that it led to (ThinkActRecordParams). */
export interface LynxeThinkAct {
  thinkInput?: string | null | undefined
  thinkOutput?: string | null | undefined
  errorMessage?: string | null | undefined
  /** The input's characters. */
  inputCharCount?: number | null | undefined
  /** The output's characters. */
  outputCharCount?: number | null | undefined
  /** The model's context window, tokens. */
  modelContextLimit?: number | null | undefined
  actToolInfoList?: readonly LynxeToolCall[] | null | undefined
}

/** A form that a tool of Lynxe shows to the user (UserInputWaitState). */
export interface LynxeUserInputWaitState {
  title?: string | null | undefined
  /** The question to the user. */
  formDescription?: string | null | undefined
  /** The inputs of the form: `label`, `value`, `name`, `type`, `placeholder`, `required`, `options`. */
  formInputs?: readonly Readonly<Record<string, string>>[] | null | undefined
}
