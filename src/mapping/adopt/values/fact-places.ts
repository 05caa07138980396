import type { KindRule } from '../kind.js'
import { inMetadata, type Place } from './fact-place.js'

/** Logfire's attribute `name` is an agent's name only if Logfire named the span. */
const LOGFIRE_NAME: Place = { key: 'name', beside: 'logfire.msg_template' }

/** The current agent of LangChain and LangGraph, on every span. */
export const LANGCHAIN_AGENT = inMetadata('lc_agent_name')

export const AGENT_NAME: readonly Place[] = [
  'gen_ai.agent.name',
  'agent_name',
  'agent.name',
  'graph.node.id',
  ...LANGCHAIN_AGENT,
  'traceloop.entity.name',
  'haystack.component.name',
  'ai.telemetry.functionId',
  LOGFIRE_NAME,
  'gen_ai.agent.id',
  'subagent.name',
  'entity.name',
  'genkit:name',
]

/** The part of a span's name that names the agent. */
export const NAME_OF_AGENT: readonly Place[] = [
  {
    name: /^(?:invoke_agent\b|agent_run\b)?\s*\[?(?<rest>.*?)\]?(?: run|\.run|\.a?forward|\.agent|\.workflow|\.interaction)?$/,
    except: /^haystack\.agent$/,
  },
]

export const PLAN_TITLE: readonly Place[] = [
  'gen_ai.workflow.name',
  'traceloop.workflow.name',
  LOGFIRE_NAME,
  'langfuse.trace.name',
  'langsmith.trace.name',
  'entity.name',
  'genkit:name',
  'gen_ai.agent.name',
  { name: /^(?:invoke_workflow\b|invoke_agent\b|invocation\b)?\s*\[?(?<rest>.*?)\]?(?:\.workflow)?$/ },
]

/** On a chat span this may be the id of a response instead. */
export const CONVERSATION: readonly Place[] = [
  'gen_ai.conversation.id',
  'session.id',
  'langfuse.session.id',
  'traceloop.association.properties.session_id',
  ...inMetadata('thread_id'),
  'langsmith.trace.session_id',
  'spring.ai.chat.client.conversation.id',
  'conversation.id',
]

export const MODEL: readonly Place[] = [
  'gen_ai.request.model',
  'llm.model_name',
  'ai.model.id',
  'langfuse.observation.model.name',
  'gen_ai.response.model',
  'llm.model',
  'genkit:name',
]

export const RESPONSE_MODEL: readonly Place[] = ['gen_ai.response.model', 'ai.response.model']

/** The provider's id of an answer. */
export const RESPONSE_ID: readonly Place[] = [
  'gen_ai.response.id',
  'ai.response.id',
  { in: 'output.value', path: ['id'] },
]

export const PROVIDER: readonly Place[] = [
  'gen_ai.provider.name',
  'gen_ai.system',
  'llm.provider',
  'llm.system',
  'ai.model.provider',
]

export const TOOL_NAME: readonly Place[] = [
  'gen_ai.tool.name',
  'tool.name',
  'ai.toolCall.name',
  'tool_name',
  'spring.ai.tool.definition.name',
  'haystack.tool.name',
  'genkit:name',
  // Traceloop names LangChain's tools after their class. The answer has the name.
  { in: 'traceloop.entity.output', path: ['kwargs', 'name'] },
  'traceloop.entity.name',
  LOGFIRE_NAME,
  {
    name: /^(?:execute_tool\b|running tool:?|Function:)?\s*(?<rest>.*?)(?:\.tool|\.__a?call__)?$/,
    except: /^(SimpleTool|ai\.toolCall)$/,
  },
]

export const TOOL_CALL_ID: readonly Place[] = [
  'gen_ai.tool.call.id',
  'ai.toolCall.id',
  'tool_call.id',
  'tool.call.id',
  'tool.id',
  { in: 'output.value', path: ['tool_call_id'] },
  { in: 'output.value', path: ['kwargs', 'tool_call_id'] },
  { in: 'output.value', path: ['data', 'tool_call_id'] },
  { in: 'output.value', path: ['output', 'kwargs', 'tool_call_id'] },
  { in: 'langfuse.observation.output', path: ['tool_call_id'] },
  { in: 'gen_ai.completion', path: ['output', 'tool_call_id'] },
  { in: 'traceloop.entity.output', path: ['kwargs', 'tool_call_id'] },
  { in: 'traceloop.entity.output', path: ['tool_id'] },
]

export const TOOL_DESCRIPTION: readonly Place[] = [
  'gen_ai.tool.description',
  'tool.description',
  'haystack.tool.description',
]

export const TOOL_ARGUMENTS: readonly Place[] = [
  'gen_ai.tool.call.arguments',
  'ai.toolCall.args',
  'spring.ai.tool.call.arguments',
  'gen_ai.retrieval.query.text',
  'gen_ai.memory.query.text',
  'langfuse.observation.input',
  'gcp.vertex.agent.tool_call_args',
  'haystack.agent.step.tool.input',
  'tool_arguments',
  'tool.arguments',
  'tool_args',
  'input.value',
  'input',
  'genkit:input',
  'tool.parameters',
  'traceloop.entity.input',
  'gen_ai.prompt',
  'tool_input',
  // Claude Code sends some arguments of its own tools.
  { object: { command: 'full_command', file_path: 'file_path', subagent_type: 'subagent_type', skill: 'skill_name' } },
  // The response that an operation of the GenAI conventions fetches.
  'gen_ai.response.id',
]

export const TOOL_RESULT: readonly Place[] = [
  'gen_ai.tool.call.result',
  'ai.toolCall.result',
  'spring.ai.tool.call.result',
  'gen_ai.retrieval.documents',
  'gen_ai.memory.records',
  'langfuse.observation.output',
  'gcp.vertex.agent.tool_response',
  'haystack.agent.step.tool.output',
  'tool_response',
  'output.value',
  'traceloop.entity.output',
  'gen_ai.completion',
  'output',
  // Genkit for Go wraps the result, Genkit for JavaScript does not.
  { in: 'genkit:output', path: ['output'] },
  'genkit:output',
  { event: 'tool.output', key: 'output' },
  { event: 'tool.output', key: 'content' },
  'gen_ai.output.messages',
]

/** The input of an agent or a plan. */
export const INPUT: readonly Place[] = [
  'gen_ai.input.messages',
  'pydantic_ai.all_messages',
  'all_messages_events',
  'ai.prompt',
  'mastra.workflow_run.input',
  'mastra.agent_run.input',
  'haystack.agent.input',
  'haystack.pipeline.input_data',
  'langfuse.observation.input',
  'traceloop.entity.input',
  'input.value',
  'gen_ai.prompt',
  'user_prompt',
  'genkit:input',
  'input',
]

/** The output of an agent or a plan. */
export const OUTPUT: readonly Place[] = [
  'gen_ai.output.messages',
  'final_result',
  'ai.response.text',
  'mastra.workflow_run.output',
  'mastra.agent_run.output',
  'haystack.agent.output',
  'haystack.pipeline.output_data',
  'langfuse.observation.output',
  'traceloop.entity.output',
  'output.value',
  'gen_ai.completion',
  'genkit:output',
  'output',
]

/** The input of a model, in any format. */
export const MODEL_INPUT: readonly Place[] = [
  'gen_ai.input.messages',
  'ai.prompt.messages',
  'langfuse.observation.input',
  'gcp.vertex.agent.llm_request',
  'mastra.model_step.input',
  'haystack.agent.step.llm.input',
  'haystack.component.input',
  'raw_input',
  'input.value',
  'gen_ai.prompt',
  'traceloop.entity.input',
  'genkit:input',
  'llm.messages',
  'new_context',
]

export const MODEL_OUTPUT: readonly Place[] = [
  'gen_ai.output.messages',
  'langfuse.observation.output',
  'gcp.vertex.agent.llm_response',
  'mastra.model_step.output',
  'haystack.agent.step.llm.output',
  'haystack.component.output',
  'output.value',
  'gen_ai.completion',
  'traceloop.entity.output',
  { key: 'response', beside: 'logfire.msg_template' },
  'genkit:output',
  'response.model_output',
]

/**
 * The text beside the calls of an answer. AutoGen, and OpenInference for the AI SDK, write it apart from the answer's
 * message.
 */
export const TEXT_OF_CALLS: readonly Place[] = [{ in: 'output.value', path: ['thought'] }, 'ai.response.text']

export const ERROR_TEXT: readonly Place[] = [
  'exception.message',
  'langfuse.observation.status_message',
  'error.message',
]

/** How many steps an agent may make. */
export const LIMITS: readonly Place[] = ['smolagents.max_steps', 'haystack.agent.max_steps', 'ai.model.max_steps']

/** Why a model stopped. */
export const FINISH_REASON: readonly Place[] = [
  'gen_ai.response.finish_reasons',
  'ai.response.finishReason',
  'llm.finish_reason',
  { in: 'genkit:output', path: ['finishReason'] },
]

/** Attribute values that mark a failed span, besides its status and exceptions. */
export const FAILURES: KindRule['when'] = {
  'error.type': /./,
  'logfire.level_num': /^(1[7-9]|2\d)$/,
  'langfuse.observation.level': 'ERROR',
  'gen_ai.tool.status': 'error',
  'haystack.tool.error': 'true',
  'gen_ai.task.status': 'error',
  success: 'false',
  // An error that a run returns as its answer. In the texts of messages, quotation marks are escaped.
  'gen_ai.output.messages': /"finish_reason":\s*"error"/,
}
