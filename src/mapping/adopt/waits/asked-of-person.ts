import { type Data, isData, isList } from '../../../semconv/index.js'
import { dataIn, objectIn, textOf } from '../values/json-data.js'
import { CLASS, pythonIn } from '../values/python-data.js'
import { errorIn } from '../values/tool-values.js'

/** What a run asks a person: whether a tool may be called, or anything else. */
export interface Asked {
  /** The id of the tool call, otherwise of the question. */
  readonly id?: string | undefined
  readonly tool?: string | undefined
  readonly arguments?: string | undefined
  readonly question?: string | undefined
  /** The inputs or the schema of a form, as JSON. */
  readonly form?: string | undefined
}

const CALL_KEYS = ['toolCall', 'tool_call', 'functionCall', 'function_call', 'action_request', 'rawItem', 'raw_item']
const CALLS_KEYS = ['action_requests', 'actionRequests', 'tool_calls', 'toolCalls']
const NAME_KEYS = ['toolName', 'tool_name', 'name', 'action', 'tool']
const ARGUMENT_KEYS = ['arguments', 'args', 'input', 'parsed_arguments', 'parameters']
const CALL_ID_KEYS = ['toolCallId', 'tool_call_id', 'callId', 'call_id']
const ID_KEYS = [...CALL_ID_KEYS, 'approvalId', 'approval_id', 'interrupt_id', 'interruptId', 'request_id', 'id']
const QUESTION_KEYS = [
  'question',
  'message',
  'prompt',
  'description',
  'text',
  'instructions',
  'title',
  'reason',
  'hint',
]
const FORM_KEYS = ['requestedSchema', 'requested_schema', 'response_schema', 'schema', 'fields', 'inputs', 'form']

/** Returns what a request asks, in the format of any framework. `id` is the request's own id. */
export function askedIn(value: unknown, id?: string): Asked[] {
  if (typeof value === 'string') return [{ id, question: value }]
  if (isList(value)) return value.flatMap((one) => askedIn(one, id))
  if (!isData(value)) return value === undefined || value === null ? [] : [{ id, question: String(value) }]
  const calls = CALLS_KEYS.map((key) => value[key]).find((list) => isList(list) && list.length > 0)
  // One request for several calls has one id, which identifies none of them.
  if (isList(calls)) return calls.flatMap((call) => askedIn(call, calls.length === 1 ? id : undefined))
  const inner = CALL_KEYS.map((key) => value[key]).find(isData)
  const call = inner ?? value
  const [tool, args] = [textAt(call, NAME_KEYS), ARGUMENT_KEYS.map((key) => call[key]).find((one) => one !== undefined)]
  const question = textAt(value, QUESTION_KEYS)
  const isCall =
    tool !== undefined && (args !== undefined || inner !== undefined || textAt(call, CALL_ID_KEYS) !== undefined)
  const ownId = (inner && textAt(inner, ID_KEYS)) ?? textAt(value, ID_KEYS) ?? id
  if (isCall) return [{ id: ownId, tool, arguments: textOf(args), question }]
  const form = FORM_KEYS.map((key) => value[key]).find((one) => isData(one) || isList(one))
  return [{ id: ownId, question: question ?? JSON.stringify(value), form: textOf(form) }]
}

function textAt(data: Data, keys: readonly string[]): string | undefined {
  const key = keys.find((one) => typeof data[one] === 'string' && data[one] !== '')
  return key === undefined ? undefined : (data[key] as string)
}

/** Some instrumentations append the stack to a message. */
const STACK = /(?<=\))Traceback\b.*/s

/** Returns what the message of an exception that interrupts a run asks: JSON, or a Python value. */
export function askedByMessage(message: string): Asked[] {
  const text = message.replace(STACK, '')
  const data = dataIn(text) ?? pythonIn(text)
  return data === undefined ? [] : interrupts(data)
}

/** The keys under which an interrupt has what it asks. */
const VALUE_KEYS = ['value', 'reason', 'payload']

/** Returns what a list of interrupts asks: objects with a value and an id, or the requests themselves. */
export function interrupts(value: unknown): Asked[] {
  if (isList(value)) return value.flatMap(interrupts)
  if (typeof value === 'string') return interrupts(objectIn(value) ?? pythonIn(value) ?? { question: value })
  // The exception itself, as Python writes it.
  if (isData(value) && CLASS in value && isList(value['0'])) return interrupts(value['0'])
  const key = isData(value) ? VALUE_KEYS.find((one) => value[one] !== undefined && value[one] !== null) : undefined
  return isData(value) && key !== undefined ? askedIn(value[key], textAt(value, ID_KEYS)) : askedIn(value)
}

const ASKS_PERSON =
  /\b(?:needs?|requires?|(?:a)?wait(?:s|ing)?(?: for)?|pending)\b[^.?!]{0,60}\b(?:confirm(?:ation)?|approv(?:al|e)|permission|(?:human|user|your) (?:input|review|response|decision))\b/i

/** Whether a framework answers in place of its model or tool because a person must allow a call. */
export const asksPerson = (answer: string): boolean => ASKS_PERSON.test(answer)

/** Whether a tool's result is an error only because a person must allow the call first. */
export function isRefusalUntilAllowed(result: string | undefined): boolean {
  const error = errorIn(result)
  return error !== undefined && asksPerson(error)
}
