import { isData, isList, type Message } from '../../semconv/index.js'
import { dataIn, textOf, unquoted } from './json-data.js'
import { read } from './model-messages.js'

/**
 * Returns what a person asked, or an agent answered, in an input or output value: the last text of the speaker's
 * messages, the only text among a function's arguments, or the value itself.
 */
export function saidIn(value: string | undefined, speaker: 'user' | 'assistant'): string | undefined {
  if (value === undefined) return undefined
  const data = dataIn(value)
  if (data === undefined) return unquoted(value)
  const messages = read(value, speaker)
  const said = messages && lastText(messages, speaker)
  return said ?? textInside(data) ?? value
}

/** Returns the speaker's last text in messages. */
export function lastText(messages: readonly Message[], speaker: 'user' | 'assistant'): string | undefined {
  const message = messages.findLast(({ role, parts }) => role === speaker && parts.some(({ type }) => type === 'text'))
  return message?.parts
    .filter(({ type }) => type === 'text')
    .map((part) => textOf(part['content']) ?? '')
    .join('\n')
}

const TEXT_KEYS = ['task', 'text', 'input', 'query', 'question', 'prompt', 'content', 'output', 'result', 'q']

function textInside(data: unknown): string | undefined {
  if (isList(data)) {
    const texts = data.filter((item) => typeof item === 'string')
    return texts.length === 1 ? texts[0] : undefined
  }
  if (!isData(data)) return undefined
  const { args, kwargs, new_message: message, content } = data
  if (isList(args) || isData(kwargs)) {
    const texts = [...(isList(args) ? args : []), ...(isData(kwargs) ? Object.values(kwargs) : [])].filter(
      (item) => typeof item === 'string',
    )
    return texts.length === 1 ? texts[0] : undefined
  }
  const parts = isData(message) ? message['parts'] : isData(content) ? content['parts'] : undefined
  if (isList(parts))
    return parts.flatMap((part) => (isData(part) && typeof part['text'] === 'string' ? [part['text']] : [])).join('\n')
  const key = TEXT_KEYS.find((name) => typeof data[name] === 'string')
  return key === undefined ? undefined : (data[key] as string)
}
