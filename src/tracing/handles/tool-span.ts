import type { GuardrailSpan } from './guardrail-span.js'
import type { SpanHandle } from './span-handle.js'
import type { WaitOptions, WaitSpan } from './wait-span.js'

/** The values of a tool call. */
export interface ToolValues {
  /** The type of tool: `function`, `extension` or `datastore`. */
  type?: string | undefined
  /** The tool's purpose. */
  description?: string | undefined
}

export interface ToolOptions extends ToolValues {
  /** The tool's name. */
  name: string
  /** The id of the call, as the model gave it. @default generated if a sub-plan needs it */
  callId?: string | undefined
  /** The arguments: text as it is, any other value as JSON. */
  arguments?: unknown
  /** The guardrails that checked this call; their spans are linked. */
  guardedBy?: GuardrailSpan | readonly GuardrailSpan[] | undefined
  /** Whether what the callback returns is recorded as the result, if none was recorded. @default true */
  captureReturn?: boolean | undefined
}

/** One tool call (`execute_tool`). A plan started in its context is its sub-plan. */
export interface ToolSpan extends SpanHandle {
  /** The id of the call. */
  readonly callId: string
  set(values: ToolValues): void
  /** Records the result of the call: text as it is, any other value as JSON; undefined records nothing. */
  result(result: unknown): void
  /** Records a wait for a person, for example for the approval of this call. */
  wait<T>(options: WaitOptions, fn: (wait: WaitSpan) => T): T
  startWait(options?: WaitOptions): WaitSpan
}
