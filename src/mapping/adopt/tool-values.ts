import { isData, isList } from '../../semconv/index.js'
import { dataIn, textOf, unquoted } from './json-data.js'

/** Returns the arguments of a tool call without the wrappers of instrumentations. */
export function toolArguments(text: string | undefined): string | undefined {
  const data = dataIn(text)
  if (!isData(data)) return text
  const { args, kwargs, sanitize_inputs_outputs: _, ...rest } = data
  if (isData(kwargs) && Object.keys(rest).length === 0 && (args === undefined || (isList(args) && args.length === 0))) {
    return JSON.stringify(kwargs)
  }
  return text
}

/** Returns the result of a tool call without the wrappers of instrumentations. */
export function toolResult(text: string | undefined): string | undefined {
  const inside = resultInside(dataIn(text))
  return inside === undefined ? unquoted(text) : textOf(inside)
}

function resultInside(data: unknown): unknown {
  if (isList(data)) {
    const [only] = data
    return data.length === 1 && isData(only) && typeof only['text'] === 'string' ? only['text'] : undefined
  }
  if (!isData(data)) return undefined
  const { lc, kwargs, type, data: inner, content, output, id, name, response } = data
  if (lc !== undefined && isData(kwargs)) return kwargs['content']
  if (type === 'tool' && isData(inner)) return inner['content']
  if (type === 'tool' && content !== undefined) return content
  if (isData(output)) return 'tool_call_id' in output ? output['content'] : resultInside(output)
  if (id !== undefined && name !== undefined && response !== undefined) return response
  return undefined
}

/** Whether a result is an error although the span's status is not. */
export function saysError(text: string | undefined): boolean {
  const data = dataIn(text)
  if (!isData(data)) return false
  return [data, data['kwargs'], data['data'], data['output']].some(
    (data) => isData(data) && data['status'] === 'error' && ('tool_call_id' in data || 'content' in data),
  )
}
