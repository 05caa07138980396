// The attributes of the OpenTelemetry GenAI and MCP conventions in the release that `CONVENTIONS_VERSION` names: names,
// types, and the values of closed lists, from model/gen-ai/registry.yaml and model/mcp/registry.yaml of
// open-telemetry/semantic-conventions-genai. Change this file together with the version.

/** The type of an attribute. `any` is a structured value, which may be JSON text. */
export type ConventionType = 'string' | 'int' | 'double' | 'boolean' | 'string[]' | 'any'

const of = (type: ConventionType, prefix: string, names: string): [string, ConventionType][] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => [`${prefix}.${name}`, type])

/** The attributes of the conventions, by name. */
export const CONVENTION_ATTRIBUTES: ReadonlyMap<string, ConventionType> = new Map([
  ...of('string', 'gen_ai', 'operation.name provider.name conversation.id output.type data_source.id'),
  ...of('boolean', 'gen_ai', 'conversation.compacted'),
  ...of('string', 'gen_ai.request', 'model reasoning.level previous_response.id stream_cursor'),
  ...of('int', 'gen_ai.request', 'max_tokens choice.count top_k seed'),
  ...of('double', 'gen_ai.request', 'temperature top_p frequency_penalty presence_penalty'),
  ...of('string[]', 'gen_ai.request', 'stop_sequences encoding_formats'),
  ...of('boolean', 'gen_ai.request', 'stream'),
  ...of('string', 'gen_ai.response', 'id model status'),
  ...of('string[]', 'gen_ai.response', 'finish_reasons'),
  ...of('double', 'gen_ai.response', 'time_to_first_chunk'),
  ...of('int', 'gen_ai.usage', 'input_tokens output_tokens cache_read.input_tokens cache_write.input_tokens'),
  ...of('int', 'gen_ai.usage', 'reasoning.output_tokens text.input_tokens image.input_tokens audio.input_tokens'),
  ...of('int', 'gen_ai.usage', 'text.output_tokens image.output_tokens audio.output_tokens'),
  ...of('int', 'gen_ai.usage', 'text.cache_read.input_tokens image.cache_read.input_tokens'),
  ...of('int', 'gen_ai.usage', 'audio.cache_read.input_tokens'),
  ...of('string', 'gen_ai.token', 'modality'),
  ...of('string', 'gen_ai.agent', 'id name description version'),
  ...of('string', 'gen_ai.main_agent', 'id name description'),
  ...of('string', 'gen_ai.tool', 'name call.id description type'),
  ...of('any', 'gen_ai.tool', 'call.arguments call.result definitions'),
  ...of('int', 'gen_ai.embeddings', 'dimension.count'),
  ...of('string', 'gen_ai.retrieval', 'query.text'),
  ...of('int', 'gen_ai.retrieval', 'top_k'),
  ...of('any', 'gen_ai.retrieval', 'documents'),
  ...of('string', 'gen_ai.memory', 'store.id record.id query.text'),
  ...of('int', 'gen_ai.memory', 'record.count'),
  ...of('any', 'gen_ai.memory', 'records'),
  ...of('any', 'gen_ai', 'system_instructions input.messages output.messages'),
  ...of('string', 'gen_ai.evaluation', 'name score.label explanation'),
  ...of('double', 'gen_ai.evaluation', 'score.value'),
  ...of('string', 'gen_ai.prompt', 'name version'),
  ...of('string', 'gen_ai.skill', 'name description source.uri resource.name'),
  ...of('string', 'mcp', 'method.name session.id resource.uri protocol.version'),
])

/** Attributes whose name ends with a name of the application: the variables of a prompt. */
const TEMPLATES = ['gen_ai.prompt.variable.']

/** Returns the type of an attribute of the conventions. Undefined for other attributes. */
export const conventionType = (key: string): ConventionType | undefined =>
  CONVENTION_ATTRIBUTES.get(key) ?? (TEMPLATES.some((start) => key.startsWith(start)) ? 'string' : undefined)

/** The values of attributes that allow no others. */
export const CLOSED_VALUES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['gen_ai.output.type', new Set(['text', 'json', 'image', 'speech'])],
])

/** Former names of attributes, with the current name; undefined for an attribute without a successor. */
export const FORMER_ATTRIBUTES: ReadonlyMap<string, string | undefined> = new Map([
  ['gen_ai.workflow.name', 'gen_ai.agent.name'],
  ['gen_ai.usage.cache_creation.input_tokens', 'gen_ai.usage.cache_write.input_tokens'],
  ['gen_ai.system', 'gen_ai.provider.name'],
  ['gen_ai.usage.prompt_tokens', 'gen_ai.usage.input_tokens'],
  ['gen_ai.usage.completion_tokens', 'gen_ai.usage.output_tokens'],
  ['gen_ai.prompt', undefined],
  ['gen_ai.completion', undefined],
  ['gen_ai.token.type', undefined],
  ['gen_ai.openai.request.response_format', 'gen_ai.output.type'],
  ['gen_ai.openai.request.seed', 'gen_ai.request.seed'],
  ['gen_ai.openai.request.service_tier', 'openai.request.service_tier'],
  ['gen_ai.openai.response.service_tier', 'openai.response.service_tier'],
  ['gen_ai.openai.response.system_fingerprint', 'openai.response.system_fingerprint'],
])

/** A span of the conventions: its kind, the attributes that it must have, and the subject at the end of its name. */
export interface ConventionSpan {
  readonly kinds: readonly ('CLIENT' | 'INTERNAL')[]
  readonly required: readonly string[]
  readonly subject?: string
}

/** The spans of the conventions by `gen_ai.operation.name`, as far as planspan writes them. */
export const CONVENTION_SPANS: ReadonlyMap<string, ConventionSpan> = new Map([
  ['invoke_workflow', { kinds: ['INTERNAL'], required: [], subject: 'gen_ai.agent.name' }],
  ['invoke_agent', { kinds: ['INTERNAL'], required: [], subject: 'gen_ai.agent.name' }],
  ['plan', { kinds: ['INTERNAL'], required: [], subject: 'gen_ai.agent.name' }],
  ['chat', { kinds: ['CLIENT', 'INTERNAL'], required: ['gen_ai.provider.name'], subject: 'gen_ai.request.model' }],
  ['execute_tool', { kinds: ['INTERNAL'], required: ['gen_ai.tool.name'], subject: 'gen_ai.tool.name' }],
])
