import { parseJson } from '../parse-json.js'

/** A JSON object. */
export type Data = Readonly<Record<string, unknown>>

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

export const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !isList(value)

/** Returns a member of an object if it is text. */
export function textIn(data: Data, key: string): string | undefined {
  const value = data[key]
  return typeof value === 'string' ? value : undefined
}

/** A part of a message in the GenAI conventions. */
export interface Part extends Data {
  readonly type: string
}

/** Converts the content of a message to parts. Unknown parts stay unchanged. */
export function toParts(content: unknown): Part[] {
  if (content === undefined || content === null) return []
  return (isList(content) ? content : [content]).flatMap((block: unknown) => {
    if (typeof block === 'string') return [{ type: 'text', content: block }]
    return isData(block) ? (partMaker(block)?.(block) ?? (block as Part)) : []
  })
}

/** Whether a value is a part of a known type, not other data with a `type`. */
export function isKnownPart(value: unknown): value is Data {
  if (!isData(value)) return false
  const type = textIn(value, 'type')
  if (type === 'text') return (textIn(value, 'text') ?? textIn(value, 'content')) !== undefined
  // A tool's definition has the type of a call, but no id.
  if (type === 'function') return textIn(value, 'id') !== undefined
  return type !== undefined && MAKERS.has(type)
}

/** Converts a tool call, whatever a provider names its id, name and arguments. */
export function toolCall(call: Data): Part {
  const { function: named, custom, call_id, callId, toolCallId, id, ref } = call
  const details: Data = isData(named) ? named : isData(custom) ? custom : call
  return {
    type: 'tool_call',
    ...given('id', call_id ?? callId ?? toolCallId ?? id ?? ref),
    name: details['name'] ?? details['toolName'] ?? details['tool_name'],
    ...given('arguments', parsed(details['arguments'] ?? details['args'] ?? details['input'])),
  }
}

/** The result of a tool call. */
export const toolResponse = (id: unknown, response: unknown, more: Data = {}): Part => ({
  ...more,
  type: 'tool_call_response',
  ...given('id', id),
  response: textOf(response) ?? response ?? null,
})

type PartMaker = (block: Data) => Part | readonly Part[]

const textPart =
  (type: 'text' | 'reasoning', key: string): PartMaker =>
  ({ [key]: content, ...rest }) =>
    typeof content === 'string' ? { ...rest, type, content } : ({ [key]: content, ...rest } as unknown as Part)

/** Converts parts by their type, for each provider and the conventions. */
const MAKERS: ReadonlyMap<string, PartMaker> = new Map<string, PartMaker>(
  Object.entries({
    text: (block) => ('text' in block ? textPart('text', 'text')(block) : (block as Part)),
    input_text: textPart('text', 'text'),
    output_text: textPart('text', 'text'),
    refusal: textPart('text', 'refusal'),
    thinking: textPart('reasoning', 'thinking'),
    reasoning: reasoningPart,
    message: ({ content }) => toParts(content),
    tool_use: toolCall,
    function: toolCall,
    function_call: toolCall,
    custom_tool_call: toolCall,
    'tool-call': toolCall,
    tool_call: (block) => block as Part,
    tool_result: ({ tool_use_id, content, ...rest }) => toolResponse(tool_use_id, content, rest),
    function_call_output: ({ call_id, callId, output }) => toolResponse(call_id ?? callId, output),
    custom_tool_call_output: ({ call_id, output }) => toolResponse(call_id, output),
    'tool-result': ({ toolCallId, output, result }) =>
      toolResponse(toolCallId, valueIn(output) ?? result, isErrorOutput(output) ? { is_error: true } : {}),
    'tool-error': ({ toolCallId, error }) => toolResponse(toolCallId, error, { is_error: true }),
    tool_call_response: (block) => block as Part,
    // Tools that the provider ran, in the formats of Anthropic, the conventions and OpenAI.
    server_tool_use: toolCall,
    mcp_tool_use: toolCall,
    server_tool_call: serverCall,
    server_tool_call_response: ({ id, server_tool_call_response: response, ...rest }) =>
      toolResponse(id, response ?? rest['response']),
    mcp_tool_result: ({ tool_use_id, content }) => toolResponse(tool_use_id, content),
    ...Object.fromEntries(
      ['web_search', 'web_fetch', 'code_execution', 'bash_code_execution', 'text_editor_code_execution'].map((tool) => [
        `${tool}_tool_result`,
        ({ tool_use_id, content }: Data) => toolResponse(tool_use_id, content),
      ]),
    ),
    ...Object.fromEntries(
      ['web_search', 'file_search', 'code_interpreter', 'image_generation', 'mcp'].map((tool) => [
        `${tool}_call`,
        (block: Data) => providersCall(tool, block),
      ]),
    ),
  }),
)

/** Whether the output of a call of the AI SDK is an error: `error-text` or `error-json`. */
const isErrorOutput = (output: unknown): boolean =>
  isData(output) && textIn(output, 'type')?.startsWith('error-') === true

/** The conventions nest the arguments of a call that the provider ran. */
function serverCall({ id, name, server_tool_call: details }: Data): Part {
  return toolCall({ id, name, arguments: isData(details) ? (details['arguments'] ?? details) : details })
}

/** OpenAI writes a call that it ran and its result as one item. */
function providersCall(tool: string, { id, name = tool, arguments: args, ...item }: Data): Part[] {
  const input = args ?? item['action'] ?? item['queries'] ?? item['code']
  const result = item['output'] ?? item['results'] ?? item['outputs'] ?? item['error'] ?? item['status']
  return [toolCall({ id, name, arguments: input }), ...(result === undefined ? [] : [toolResponse(id, result)])]
}

function partMaker(block: Data): PartMaker | undefined {
  const type = textIn(block, 'type')
  return type === undefined ? UNTYPED.find(([key]) => key in block)?.[1] : MAKERS.get(type)
}

/** The parts of Gemini, Genkit and Haystack have no type, but a key of their own. */
const UNTYPED: readonly (readonly [string, PartMaker])[] = [
  ['text', ({ thought, ...rest }) => textPart(thought === true ? 'reasoning' : 'text', 'text')(rest)],
  ...(['functionCall', 'function_call', 'toolRequest'] as const).map((key): readonly [string, PartMaker] => [
    key,
    ({ [key]: call }) => (isData(call) ? toolCall(call) : []),
  ]),
  ...(['functionResponse', 'function_response', 'toolResponse'] as const).map((key): readonly [string, PartMaker] => [
    key,
    ({ [key]: answer }) =>
      isData(answer)
        ? toolResponse(
            answer['id'] ?? answer['ref'],
            answer['response'] ?? answer['output'],
            given('name', answer['name']),
          )
        : [],
  ]),
  ['tool_call', ({ tool_call }) => (isData(tool_call) ? toolCall(tool_call) : [])],
  [
    'tool_call_result',
    ({ tool_call_result: answer }) =>
      isData(answer) && isData(answer['origin']) ? toolResponse(answer['origin']['id'], answer['result']) : [],
  ],
  ['inlineData', ({ inlineData }) => mediaPart('blob', inlineData, 'content', 'data')],
  ['fileData', ({ fileData }) => mediaPart('uri', fileData, 'uri', 'fileUri')],
]

function mediaPart(type: 'blob' | 'uri', data: unknown, name: string, key: string): Part[] {
  if (!isData(data)) return []
  const mimeType = textIn(data, 'mimeType')
  return [{ type, ...given('mime_type', mimeType), ...given('modality', mimeType?.split('/')[0]), [name]: data[key] }]
}

/** Converts reasoning to text. The Responses API writes it as a list of summaries or texts. */
function reasoningPart({ content, text, summary, ...rest }: Data): Part {
  const said = textOf(text) ?? textOf(content) ?? textOf(summary)
  return { ...rest, type: 'reasoning', content: said ?? '' }
}

const given = (key: string, value: unknown): Data => (value === undefined || value === null ? {} : { [key]: value })

/** The AI SDK wraps the result of a tool call in an object with its type. */
const valueIn = (output: unknown): unknown => (isData(output) && 'value' in output ? output['value'] : output)

/** Returns a text, or joins a list of only texts. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!isList(value) || value.length === 0) return undefined
  const texts = value.map((block) => (isData(block) ? textIn(block, 'text') : undefined))
  return texts.every((text) => text !== undefined) ? texts.join('\n') : undefined
}

// Parsing would round a number beyond 2^53.
const LONG_NUMBER = /\d{16}/

/** Parses arguments that a provider wrote as JSON text. */
function parsed(args: unknown): unknown {
  if (typeof args !== 'string' || !/^\s*\{/.test(args) || LONG_NUMBER.test(args)) return args
  return parseJson(args) ?? args
}
