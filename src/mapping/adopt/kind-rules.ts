import { ATTR } from '../../semconv/index.js'
import { ANY, type Convention, type Kind, type KindRule, NAME, SCOPE } from './kind.js'

/** Returns one rule for each value, or expression, of an attribute. */
const byValue = (
  convention: Convention,
  key: string,
  kinds: readonly (readonly [value: string | RegExp, kind: Kind, more?: KindRule['when']])[],
): KindRule[] => kinds.map(([value, kind, more]) => ({ convention, when: { [key]: value, ...more }, kind }))

const CYCLE_NAME = /^(turn|Step \d+|iteration-\d+|execute_event_loop_cycle)$/
/** The names of handoffs to another agent. */
export const HANDOFF_NAME = /^(handoff to |handoff_to_|transfer_(back_)?to_)/

/** Names of tools by which a model returns its answer, so that nothing runs. */
export const ANSWER_TOOL =
  /^(?:final|answer|done|finish|complete|respond|output|result|return|structured|json$|submit_?(?:final|answer|result|output))/i
/** Models of AutoGen ask for a handoff by calling a tool that AutoGen adds. */
const AUTOGEN = { [SCOPE]: /autogen/ }
/** LangGraph's tools hand over with a command to the graph around the agent. */
const TO_PARENT = /"graph": ?"__parent__"/
const BEEAI = { [SCOPE]: /beeai$/ }

/**
 * Rules for the kind of a span. The first match decides. A new framework needs a few lines. An agent's name, a model or
 * usage never decide alone: some frameworks write the agent's name on every span, and agents carry models and totals.
 */
export const KIND_RULES: readonly KindRule[] = [
  // ADK repeats the answers of parallel calls in one merged span.
  { convention: 'gen_ai', when: { 'gen_ai.tool.name': '(merged tools)' }, kind: 'none' },
  ...byValue('mastra', 'mastra.span.type', [
    ['workflow_run', 'plan'],
    ['workflow_step', 'wait', { 'mastra.workflow_step.status': 'suspended' }],
    ['workflow_step', 'group'],
    ['agent_run', 'agent'],
    ['model_step', 'think_act'],
    ['model_inference', 'llm'],
    ['model_generation', 'generation'],
    [/^(tool_call|mcp_tool_call|provider_tool_call|client_tool_call)$/, 'tool'],
    ['workflow_wait_event', 'wait'],
    [ANY, 'none'],
  ]),
  ...byValue('vercel_ai', 'ai.operationId', [
    [/^ai\.(generate|stream)(Text|Object)$/, 'agent'],
    [/\.(doGenerate|doStream)$/, 'llm'],
    ['ai.toolCall', 'tool'],
    [ANY, 'none'],
  ]),
  ...byValue('gen_ai', 'gen_ai.operation.name', [
    [/^(invoke_workflow|handle_conversation_turn)$/, 'plan'],
    ['plan', 'planning'],
    ['invoke_agent', 'agent'],
    ['create_agent', 'identity'],
    [/^(agent_step|execute_event_loop_cycle|react)$/, 'think_act'],
    [/^(chat|text_completion|generate_content|completion|generate)$/, 'llm'],
    ['execute_tool', 'handoff', { ...AUTOGEN, 'gen_ai.tool.name': HANDOFF_NAME }],
    ['execute_tool', 'handoff', { 'gen_ai.tool.name': HANDOFF_NAME, 'gen_ai.tool.call.result': TO_PARENT }],
    ['execute_tool', 'tool'],
    [
      /^(retrieval|fetch_response|(search|create|update|upsert|delete)_memory|(create|delete)_memory_store)$/,
      'retrieval',
    ],
    [/^(run_guardrail|apply_guardrail)$/, 'guardrail'],
    ['wait_for_user', 'wait'],
    ['orchestrate_tools', 'group'],
    ['embeddings', 'none'],
  ]),
  // Alibaba's conventions, written by Spring AI Alibaba.
  ...byValue('gen_ai', 'gen_ai.span.kind', [
    [/^(WORKFLOW|ENTRY)$/i, 'plan'],
    [/^AGENT$/i, 'agent'],
    [/^STEP$/i, 'think_act'],
    [/^LLM$/i, 'llm'],
    [/^TOOL$/i, 'tool'],
    [/^RETRIEVER$/i, 'retrieval'],
    [/^CHAIN$/i, 'chain'],
    [/^TASK$/i, 'group'],
    [/^(EMBEDDING|RERANKER)$/i, 'none'],
  ]),
  // Spring AI: the client and the advisors wrap calls. They are no agents by themselves.
  ...byValue('gen_ai', 'spring.ai.kind', [
    ['tool_call', 'tool'],
    [ANY, 'none'],
  ]),
  ...byValue('openinference', 'openinference.span.kind', [
    [/^/, 'none', { ...BEEAI, 'metadata.path': ANY }],
    [/^LLM$/, 'none', { ...BEEAI, [NAME]: /\.(success|finish|update|partial_update|error)-\d+$/ }],
    [/^/, 'group', { ...BEEAI, [NAME]: /^agent\..*-\d+$/ }],
    ['AGENT', 'agent'],
    ['LLM', 'llm'],
    ['TOOL', 'handoff', { [NAME]: HANDOFF_NAME }],
    ['TOOL', 'handoff', { ...AUTOGEN, 'tool.name': HANDOFF_NAME }],
    ['TOOL', 'tool'],
    ['RETRIEVER', 'retrieval'],
    [/^(GUARDRAIL|EVALUATOR)$/, 'guardrail'],
    ['CHAIN', 'think_act', { [NAME]: CYCLE_NAME }],
    ['CHAIN', 'chain'],
    [ANY, 'none'],
  ]),
  ...byValue('langfuse', 'langfuse.observation.type', [
    ['agent', 'agent'],
    ['tool', 'tool'],
    ['generation', 'llm'],
    ['retriever', 'retrieval'],
    [/^(guardrail|evaluator)$/, 'guardrail'],
    ['chain', 'chain'],
    ['span', 'span'],
    [ANY, 'none'],
  ]),
  ...byValue('traceloop', 'traceloop.span.kind', [
    ['workflow', 'plan'],
    ['agent', 'agent'],
    ['tool', 'tool'],
    ['task', 'tool', { 'tool.name': ANY }],
    ['task', 'planning', { [NAME]: /plan/i }],
    ['task', 'group'],
  ]),
  ...byValue('langsmith', 'langsmith.span.kind', [
    ['llm', 'llm'],
    ['tool', 'tool'],
    ['retriever', 'retrieval'],
    ['chain', 'chain'],
    [ANY, 'none'],
  ]),
  ...byValue('logfire', 'logfire.msg_template', [
    [/^OpenAI Agents trace: /, 'plan'],
    [/^Task: /, 'group'],
    [/^Agent run: /, 'agent'],
    [/^Turn /, 'think_act'],
    [/^Function: /, 'tool'],
    [/^Handoff: /, 'handoff'],
    [/^Guardrail /, 'guardrail'],
    [/^(Responses API|Chat completion) with /, 'llm'],
  ]),
  // Before format 3.
  ...byValue('pydantic_ai', NAME, [
    [/ run$/, 'agent', { agent_name: ANY }],
    [/^running \d+ tools?$/, 'group'],
    [/^running tool/, 'tool', { 'gen_ai.tool.name': ANY }],
  ]),
  ...byValue('claude_code', NAME, [
    ['claude_code.interaction', 'agent'],
    ['claude_code.llm_request', 'llm'],
    // The execution of a permitted call, in the span of the call. It contains the error.
    [/^claude_code\.tool(\.execution)?$/, 'tool'],
    // A rule or a hook may decide without a person.
    ['claude_code.tool.blocked_on_user', 'wait', { source: /^user/ }],
    [/^claude_code\./, 'none'],
  ]),
  // The logs of coding agents.
  ...byValue('agent_logs', ATTR.adoptedLogged, [
    ['agent', 'agent'],
    ['llm', 'llm'],
    ['tool', 'tool'],
    ['wait', 'wait'],
  ]),
  // Gemini CLI sends a trace for each call. Its log records contain the plan.
  ...byValue('agent_logs', SCOPE, [['gemini-cli', 'none']]),
  ...byValue('haystack', NAME, [
    ['haystack.agent.run', 'agent'],
    ['haystack.agent.step', 'think_act'],
    ['haystack.agent.step.llm', 'llm'],
    ['haystack.agent.step.tool', 'tool'],
    [/^haystack\.(async_)?pipeline\.run$/, 'chain'],
    ['haystack.component.run', 'identity', { 'haystack.component.type': 'Agent' }],
    ['haystack.component.run', 'llm', { 'haystack.component.type': /Generator$/ }],
    ['haystack.component.run', 'retrieval', { 'haystack.component.type': /Retriever$/ }],
    [/^haystack\./, 'none'],
  ]),
  ...byValue('genkit', 'genkit:metadata:subtype', [
    ['model', 'llm'],
    [/^tool/, 'tool'],
    [/^(flow|agent)$/, 'chain'],
    ['retriever', 'retrieval'],
    [ANY, 'none'],
  ]),
  ...byValue('genkit', 'genkit:type', [
    ['dotprompt', 'agent'],
    ['util', 'chain', { 'genkit:name': 'generate' }],
    ['flowStep', 'group'],
    [ANY, 'none'],
  ]),
  ...byValue('voltagent', 'span.type', [
    ['llm', 'llm'],
    ['tool', 'tool'],
    ['retriever', 'retrieval'],
    ['guardrail', 'guardrail'],
    ['workflow-step', 'group'],
    [ANY, 'none', { 'entity.type': ANY }],
  ]),
  ...byValue('voltagent', 'entity.type', [
    ['agent', 'agent', { 'entity.name': ANY }],
    ['workflow', 'plan', { 'entity.name': ANY }],
  ]),
  // A span that ended with an exception may have only its name.
  ...byValue('gen_ai', NAME, [
    [/^execute_tool (?!\(merged)/, 'tool'],
    [/^invoke_agent /, 'agent'],
  ]),
  { convention: 'gen_ai', when: { 'gen_ai.tool.name': ANY }, kind: 'tool' },
  { convention: 'gen_ai', when: { 'gen_ai.tool.call.id': ANY }, kind: 'tool' },
  // A call, or a sum of calls.
  { convention: 'gen_ai', when: { 'gen_ai.request.model': ANY, 'gen_ai.usage.input_tokens': ANY }, kind: 'generation' },
  {
    convention: 'gen_ai',
    when: { 'gen_ai.request.model': ANY, 'gen_ai.usage.prompt_tokens': ANY },
    kind: 'generation',
  },
  { convention: 'openinference', when: { 'llm.model_name': ANY, 'llm.token_count.prompt': ANY }, kind: 'generation' },
]

/** Every span that matches a rule has at least one of these attributes. */
export const MARKERS: readonly string[] = [
  'gen_ai.operation.name',
  'gen_ai.span.kind',
  'openinference.span.kind',
  'traceloop.span.kind',
  'langfuse.observation.type',
  'langsmith.span.kind',
  'ai.operationId',
  'mastra.span.type',
  'gen_ai.tool.name',
  'agent_name',
  'genkit:type',
  'entity.type',
]

/** The conventions that have rules, and that of spans which are read by the names of their attributes. */
export const CONVENTIONS: readonly Convention[] = [
  ...new Set([...KIND_RULES.map(({ convention }) => convention), 'unknown' as const]),
]
