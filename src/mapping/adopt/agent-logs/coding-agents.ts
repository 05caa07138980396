/** What an event of a coding agent records. An answer is the text of the model call before it. */
export type LoggedKind = 'prompt' | 'llm' | 'answer' | 'tool' | 'decision'

/** The values that events record, beside those whose attributes have the same names as on spans. */
export type LoggedValue = 'text' | 'name' | 'id' | 'arguments' | 'result' | 'error' | 'duration' | 'decision'

/** An event of a coding agent that is part of a plan. */
export interface LoggedEvent {
  readonly name: string
  readonly kind: LoggedKind
  /** The attribute that an event must have to count: some agents log each part of a response under one name. */
  readonly with?: string
  /** Whether the event is itself an error. */
  readonly isError?: boolean
}

/** A coding agent that logs what it does. */
export interface CodingAgent {
  readonly name: string
  readonly provider?: string
  /** Whether spans of the agent form plans. Then log records that belong to one of them are not read a second time. */
  readonly hasPlanSpans: boolean
  readonly events: readonly LoggedEvent[]
  /** What its logs never contain, in words. */
  readonly lacks: string
}

const gemini = (prefix: string): readonly LoggedEvent[] => [
  { name: `${prefix}.user_prompt`, kind: 'prompt' },
  { name: `${prefix}.api_response`, kind: 'llm' },
  { name: `${prefix}.api_error`, kind: 'llm', isError: true },
  { name: `${prefix}.tool_call`, kind: 'tool' },
]

/**
 * The coding agents whose logs are read as plans, by their public documentation. A new agent needs one row, if it uses
 * the names of the attributes below.
 */
export const CODING_AGENTS: readonly CodingAgent[] = [
  {
    name: 'claude-code',
    provider: 'anthropic',
    hasPlanSpans: true,
    events: [
      { name: 'claude_code.user_prompt', kind: 'prompt' },
      { name: 'claude_code.api_request', kind: 'llm' },
      { name: 'claude_code.api_error', kind: 'llm', isError: true },
      { name: 'claude_code.assistant_response', kind: 'answer' },
      { name: 'claude_code.tool_result', kind: 'tool' },
      { name: 'claude_code.tool_decision', kind: 'decision' },
    ],
    lacks: 'the messages to models and the results of tool calls',
  },
  {
    name: 'codex',
    provider: 'openai',
    hasPlanSpans: false,
    events: [
      { name: 'codex.user_prompt', kind: 'prompt' },
      { name: 'codex.sse_event', kind: 'llm', with: 'input_token_count' },
      { name: 'codex.sse_event', kind: 'llm', with: 'error.message', isError: true },
      { name: 'codex.api_request', kind: 'llm', with: 'error.message', isError: true },
      { name: 'codex.tool_result', kind: 'tool' },
      { name: 'codex.tool_decision', kind: 'decision' },
    ],
    lacks: 'the messages of models',
  },
  {
    name: 'gemini-cli',
    provider: 'gcp.gen_ai',
    hasPlanSpans: false,
    events: gemini('gemini_cli'),
    lacks: 'the results of tool calls',
  },
  {
    name: 'qwen-code',
    hasPlanSpans: false,
    events: gemini('qwen-code'),
    lacks: 'the results of tool calls',
  },
]

/** The attributes that identify a session and a prompt. Without ids of prompts, a session is one plan. */
export const SESSION_KEYS = ['session.id', 'conversation.id', 'gen_ai.conversation.id', 'session_id'] as const
export const PROMPT_KEYS = ['prompt.id', 'prompt_id'] as const

/** The attributes of each value, in the order in which they count. */
export const LOGGED_VALUES: Readonly<Record<LoggedValue, readonly string[]>> = {
  text: ['prompt', 'response', 'response_text', 'completion'],
  name: ['gen_ai.tool.name', 'tool_name', 'function_name', 'name'],
  id: ['gen_ai.tool.call.id', 'tool_use_id', 'call_id', 'tool_call_id'],
  arguments: ['gen_ai.tool.call.arguments', 'tool_input', 'function_args', 'arguments', 'tool_parameters'],
  result: ['gen_ai.tool.call.result', 'output', 'tool_output', 'result'],
  error: ['error.message', 'error_message', 'error', 'error_type', 'error.type'],
  duration: ['duration_ms'],
  decision: ['decision'],
}

/** The attributes of usage that are not names on spans. Each is written under the name of the GenAI conventions. */
export const LOGGED_USAGE: Readonly<Record<string, string>> = {
  input_token_count: 'gen_ai.usage.input_tokens',
  output_token_count: 'gen_ai.usage.output_tokens',
  cached_content_token_count: 'gen_ai.usage.cache_read.input_tokens',
  cached_token_count: 'gen_ai.usage.cache_read.input_tokens',
  cache_write_token_count: 'gen_ai.usage.cache_creation.input_tokens',
  thoughts_token_count: 'gen_ai.usage.reasoning.output_tokens',
  reasoning_token_count: 'gen_ai.usage.reasoning.output_tokens',
  cost_usd: 'gen_ai.usage.cost',
  model: 'gen_ai.request.model',
}
