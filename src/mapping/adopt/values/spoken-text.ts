import { type Data, isData, isList, type Message, messagesOf } from '../../../semconv/index.js'
import { dataIn, isEmpty, textOf, unquoted } from './json-data.js'
import { plainMessages } from './plain-messages.js'
import { CLASS, pythonIn } from './python-data.js'

type Speaker = 'user' | 'assistant'

/**
 * Returns what a person asked, or an agent answered, in an input or output value: a text as it is, the last text of the
 * speaker's messages, or the text in a wrapper of a framework. Undefined for an empty value and an unknown wrapper.
 */
export const saidIn = (value: string | undefined, speaker: Speaker): string | undefined =>
  value === undefined ? undefined : inText(value, speaker, 0)

/** Returns the speaker's last text in messages. An answer that requests tool calls is not the last one. */
export function lastText(messages: readonly Message[], speaker: Speaker): string | undefined {
  const isAnswer = speaker === 'assistant'
  const message = messages.findLast(({ role, parts }) => role === speaker && (isAnswer || parts.some(isText)))
  if (!message || (isAnswer && awaitsTools(message))) return undefined
  const text = message.parts
    .filter(isText)
    .map((part) => textOf(part['content']) ?? '')
    .join('\n')
  return text.trim() === '' ? undefined : text
}

/** Whether a message requests tool calls that the provider did not run itself. */
const awaitsTools = ({ parts }: Message): boolean =>
  parts.some(({ type }) => type === 'tool_call') && !parts.some(({ type }) => type === 'tool_call_response')

const isText = ({ type }: { readonly type: string }): boolean => type === 'text'

/** Whether a text is a value that a program wrote, not a person. */
export const isWrapped = (text: string): boolean => WRAPPED.test(text)

const WRAPPED = /^\s*(?:\[\s*[\w"'{[(<\]]|\{|<\w[\w. ]*(?:object|:)|[A-Z][\w.]*\((?:[a-z_]+=|.*\)\s*$)|[a-z_]+=['"[{])/s

/** Wrappers nest: JSON in a representation in JSON. */
const MAX_DEPTH = 8

function inText(text: string, speaker: Speaker, depth: number): string | undefined {
  if (isEmpty(text) || depth > MAX_DEPTH) return undefined
  const data = dataIn(text) ?? pythonIn(text)
  if (data !== undefined) return inData(data, speaker, depth)
  const bare = unquoted(text)
  return bare === text ? text : inText(bare, speaker, depth + 1)
}

/** The keys under which frameworks write a request and an answer, in the order of preference. */
const KEYS: Readonly<Record<Speaker, readonly string[]>> = {
  user: [
    'messages',
    'inputs',
    'input',
    'new_message',
    'user_msg',
    'user_message',
    'message',
    'query',
    'question',
    'task',
    'prompt',
    'request',
    'user_input',
    'text',
    'content',
    'parts',
    'input_str',
    'data',
    'q',
  ],
  assistant: [
    'messages',
    'outputs',
    'output',
    'final_output',
    'response',
    'result',
    'final_answer',
    'answer',
    'replies',
    'message',
    'last_message',
    'text',
    'content',
    'parts',
    'raw',
    'return_values',
    'data',
    'value',
  ],
}

function inData(data: unknown, speaker: Speaker, depth: number): string | undefined {
  if (typeof data === 'string') return inText(data, speaker, depth + 1)
  if (depth > MAX_DEPTH || (!isList(data) && !isData(data))) return undefined
  const messages = messagesOf(plainMessages(data), speaker)
  if (messages) return lastText(messages, speaker)
  if (isList(data)) return inList(data, speaker, depth)
  for (const key of KEYS[speaker]) {
    const said = inData(data[key], speaker, depth + 1)
    if (said !== undefined) return said
  }
  return inArguments(data) ?? inOnlyMember(data, speaker, depth)
}

/** Returns the text of the only item, or the texts of a message's parts. */
function inList(list: readonly unknown[], speaker: Speaker, depth: number): string | undefined {
  if (list.length === 1) return inData(list[0], speaker, depth + 1)
  const texts = list.map((part) => (isData(part) ? part['text'] : undefined))
  return list.length > 0 && texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined
}

/** Returns the only text among the arguments of a function. */
function inArguments({ args, kwargs }: Data): string | undefined {
  const values = [...(isList(args) ? args : []), ...(isData(kwargs) ? Object.values(kwargs) : [])]
  const texts = values.filter((item) => typeof item === 'string')
  return texts.length === 1 ? texts[0] : undefined
}

/** Returns the text in the only member of an object, which a component of a pipeline or a parameter names. */
function inOnlyMember(data: Data, speaker: Speaker, depth: number): string | undefined {
  const [only, ...others] = Object.keys(data).filter((key) => key !== CLASS)
  const value = only === undefined || others.length > 0 ? undefined : data[only]
  return typeof value === 'string' && speaker === 'assistant' ? undefined : inData(value, speaker, depth + 1)
}
