import { parseJson } from '../parse-json.js'
import { type Data, isData, isList, textIn } from './plain-data.js'

/** A part of a message, as the GenAI conventions have it. */
export interface Part extends Data {
  readonly type: string
}

/** The content of a message as parts; what is no known part of any provider stays as it is. */
export function toParts(content: unknown): Part[] {
  if (content === undefined || content === null) return []
  return (isList(content) ? content : [content]).flatMap((block: unknown) => {
    if (typeof block === 'string') return [{ type: 'text', content: block }]
    return isData(block) ? (partMaker(block)?.(block) ?? (block as Part)) : []
  })
}

/** Whether a value is a part of a known type, and not data that happens to have a `type`. */
export function isKnownPart(value: unknown): value is Data {
  if (!isData(value)) return false
  const type = textIn(value, 'type')
  if (type === 'text') return (textIn(value, 'text') ?? textIn(value, 'content')) !== undefined
  // A tool's definition has the type of a call, and no id.
  if (type === 'function') return textIn(value, 'id') !== undefined
  return type !== undefined && MAKERS.has(type)
}

/** A tool call, whichever names a provider has for its id, name and arguments. */
export function toolCall(call: Data): Part {
  const { function: named, custom, call_id, callId, toolCallId, id } = call
  const told: Data = isData(named) ? named : isData(custom) ? custom : call
  return {
    type: 'tool_call',
    ...given('id', call_id ?? callId ?? toolCallId ?? id),
    name: told['name'] ?? told['toolName'],
    ...given('arguments', parsed(told['arguments'] ?? told['args'] ?? told['input'])),
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

/** The makers of parts of each type that a provider or the conventions have. */
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
    'tool-result': ({ toolCallId, output, result }) => toolResponse(toolCallId, valueIn(output) ?? result),
    'tool-error': ({ toolCallId, error }) => toolResponse(toolCallId, error),
    tool_call_response: (block) => block as Part,
  }),
)

function partMaker(block: Data): PartMaker | undefined {
  const type = textIn(block, 'type')
  return type === undefined ? GEMINI.find(([key]) => key in block)?.[1] : MAKERS.get(type)
}

const GEMINI: readonly (readonly [string, PartMaker])[] = [
  ['text', ({ thought, ...rest }) => textPart(thought === true ? 'reasoning' : 'text', 'text')(rest)],
  ['functionCall', ({ functionCall }) => (isData(functionCall) ? toolCall(functionCall) : [])],
  [
    'functionResponse',
    ({ functionResponse: answer }) =>
      isData(answer) ? toolResponse(answer['id'], answer['response'], given('name', answer['name'])) : [],
  ],
  ['inlineData', ({ inlineData }) => mediaPart('blob', inlineData, 'content', 'data')],
  ['fileData', ({ fileData }) => mediaPart('uri', fileData, 'uri', 'fileUri')],
]

function mediaPart(type: 'blob' | 'uri', data: unknown, name: string, key: string): Part[] {
  if (!isData(data)) return []
  const mimeType = textIn(data, 'mimeType')
  return [{ type, ...given('mime_type', mimeType), ...given('modality', mimeType?.split('/')[0]), [name]: data[key] }]
}

/** Reasoning as text, which the Responses API gives as a list of summaries or texts. */
function reasoningPart({ content, text, summary, ...rest }: Data): Part {
  const said = textOf(text) ?? textOf(content) ?? textOf(summary)
  return { ...rest, type: 'reasoning', content: said ?? '' }
}

const given = (key: string, value: unknown): Data => (value === undefined || value === null ? {} : { [key]: value })

/** The result of a tool call of the AI SDK, which says its own type beside it. */
const valueIn = (output: unknown): unknown => (isData(output) && 'value' in output ? output['value'] : output)

/** Text, or a list of texts alone as one. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!isList(value) || value.length === 0) return undefined
  const texts = value.map((block) => (isData(block) ? textIn(block, 'text') : undefined))
  return texts.every((text) => text !== undefined) ? texts.join('\n') : undefined
}

// Beyond 2^53 a parsed number is another one.
const LONG_NUMBER = /\d{16}/

/** Arguments that a provider gives as JSON text, as the data that they are. */
function parsed(args: unknown): unknown {
  if (typeof args !== 'string' || !/^\s*\{/.test(args) || LONG_NUMBER.test(args)) return args
  return parseJson(args) ?? args
}
