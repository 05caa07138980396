import { type Data, isData, isList } from '../../../semconv/index.js'
import { dataIn, textOf, unquoted } from './json-data.js'
import { CLASS, pythonIn } from './python-data.js'

/** Returns the arguments of a tool call without the wrappers of instrumentations, and without Python's objects. */
export function toolArguments(text: string | undefined): string | undefined {
  const own = argumentsInside(text)
  const data = own?.includes(' object at 0x') ? dataIn(own) : undefined
  return isData(data) ? JSON.stringify(withoutObjects(data)) : own
}

function argumentsInside(text: string | undefined): string | undefined {
  const data = dataIn(text)
  if (!isData(data)) return text
  const { input, options, ...others } = data
  // BeeAI writes the options of a run beside its input.
  if (isData(input) && options !== undefined && Object.keys(others).length === 0) return JSON.stringify(input)
  const { input_str: written, inputs, args, kwargs, sanitize_inputs_outputs: _, ...rest } = data
  // Traceloop writes a call with the text of its arguments and the metadata of its run.
  if (typeof written === 'string') return isData(inputs) ? JSON.stringify(inputs) : (jsonOf(written) ?? written)
  if (isData(kwargs) && Object.keys(rest).length === 0 && (args === undefined || (isList(args) && args.length === 0))) {
    return JSON.stringify(kwargs)
  }
  return text
}

/** Removes what a framework passes to a tool besides the arguments of the call, as Python represents objects. */
const withoutObjects = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => !OBJECT.test(String(value))))

const OBJECT = /^<[\w.<>]+ object at 0x[\da-f]+>$/

/** Returns the result of a tool call without the wrappers of instrumentations. */
export function toolResult(text: string | undefined): string | undefined {
  const inside = resultInside(dataIn(text) ?? pythonWrapper(text))
  return inside === undefined ? unquoted(text) : textOf(inside)
}

/** Returns the JSON of arguments that are written in Python. */
function jsonOf(text: string): string | undefined {
  const data = dataIn(text) ?? pythonIn(text)
  return isData(data) ? JSON.stringify(data) : undefined
}

/** Parses the Python representation of a tool message, or of a list of its parts. */
function pythonWrapper(text = ''): unknown {
  const data = WRAPPER.test(text) ? pythonIn(text) : undefined
  const [first] = isList(data) ? data : [data]
  return isData(first) && (first[CLASS] !== undefined || 'tool_call_id' in first) ? data : undefined
}

const WRAPPER = /^\s*(?:\[?[A-Z]\w*\(|content=)/

function resultInside(data: unknown): unknown {
  if (isList(data)) {
    const [only] = data
    return data.length === 1 && isData(only) && typeof only['text'] === 'string' ? only['text'] : undefined
  }
  if (!isData(data)) return undefined
  const {
    lc,
    kwargs,
    type,
    data: inner,
    content,
    output = data['tool_output'],
    response,
    blocks,
    raw_output: raw,
  } = data
  if (raw !== undefined && isList(blocks)) return textsOf(blocks) ?? raw
  if (data[CLASS] !== undefined || (isList(content) && ENDS.some((key) => key in data)))
    return textsOf(content) ?? content
  if ('tool_call_id' in data && typeof content === 'string') return content
  if (type === 'text' && typeof data['text'] === 'string') return data['text']
  if (isOutput(data)) return data['value']
  if (lc !== undefined && isData(kwargs)) return kwargs['content']
  if (type === 'tool' && isData(inner)) return inner['content']
  if (type === 'tool' && content !== undefined) return content
  if (isData(output)) return 'tool_call_id' in output ? output['content'] : resultInside(output)
  // ADK and MCP's servers wrap the text that a function returns.
  if (typeof data['result'] === 'string' && Object.keys(data).length === 1) return data['result']
  if (isAnswer(data)) return resultInside(response) ?? response
  return undefined
}

/** Whether a result is the answer to a call of Google's models. */
const isAnswer = ({ id, name, response }: Data): boolean =>
  id !== undefined && name !== undefined && response !== undefined

/** Whether a result is an output of the AI SDK, such as `{"type":"text","value":…}`. */
const isOutput = (data: Data): boolean =>
  'value' in data && Object.keys(data).length === 2 && /^(?:error-)?(?:text|json)$/.test(textOf(data['type']) ?? '')

/** The keys of the result of a call beside its content, in MCP and in AgentScope. */
const ENDS = ['isError', 'is_error', 'structuredContent', 'state']

/** Returns the texts of content that has no other parts. */
function textsOf(parts: unknown): string | undefined {
  if (!isList(parts) || parts.length === 0) return undefined
  const texts = parts.map((part) => (isData(part) ? part['text'] : undefined))
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined
}

/** Whether a result is an error although the span's status is not. */
export const saysError = (result: unknown): boolean => errorIn(result) !== undefined

/** Returns the text of a result that is an error: by a status or a flag, or because it contains nothing else. */
export function errorIn(result: unknown): string | undefined {
  const data = typeof result === 'string' ? dataIn(result) : result
  if (!isData(data)) return undefined
  if (isAnswer(data)) return errorIn(data['response'])
  const { status, error, error_message: message = error } = data
  const isAlone = status === 'error' || Object.keys(data).length === 1
  if (isAlone && message !== undefined && message !== null) return textOf(message)
  return [data, data['kwargs'], data['data'], data['output']].some(isMarked)
    ? textOf(resultInside(data) ?? data)
    : undefined
}

/** Whether a message with a result, or the result of an MCP call, says that it is an error. */
const isMarked = (data: unknown): boolean =>
  isData(data) &&
  ((isOutput(data) && textOf(data['type'])?.startsWith('error-')) ||
    (data['status'] === 'error' && ('tool_call_id' in data || 'content' in data)) ||
    (isList(data['content']) && (data['isError'] === true || data['is_error'] === true || data['state'] === 'error')))
