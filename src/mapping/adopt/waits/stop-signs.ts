import { ATTR, EVENTS, exceptionFields, isData, isList, type StoredSpan } from '../../../semconv/index.js'
import { type Asked, askedByMessage, askedIn, interrupts } from './asked-of-person.js'
import type { AdoptNode } from '../adopt-node.js'
import { MODEL_OUTPUT, OUTPUT } from '../values/fact-places.js'
import { dataIn } from '../values/json-data.js'
import type { Kind } from '../kind.js'
import { pythonIn } from '../values/python-data.js'

/** A sign in a span that its run stopped until a person answers. */
export interface StopSign {
  /** The evidence, in words. */
  readonly why: string
  /** What is asked, as far as the sign says it. */
  readonly asked: readonly Asked[]
}

/** The classes of exceptions by which frameworks stop a run. A program that is stopped from outside raises others. */
const STOPPING_ERROR =
  /(?:^|[.:\s])(?!Keyboard)\w*(?:Interrupt|Suspend(?:ed)?|ApprovalRequired|ApprovalRequest(?:ed)?|CallDeferred|(?:Human|User)?Input(?:Required|Needed|Requested)|Paused?|WaitingForEvent)(?:Error|Exception)?(?=$|\()/

/** Attributes that say how a run or a call ended. */
const OUTCOME_KEY = /(?:^|[._])(?:status|state|outcome|finish_?reasons?|stop_?reasons?)$/i

/** The words of frameworks for a run that stopped for a person. */
const STOPPED_WORD =
  /^["[\s]*(?:interrupt|suspended|paused|tool[-_]approval|(?:pending|awaiting|waiting)(?:[-_](?:for|on))?[-_](?:\w+[-_])?(?:approval|confirmation|review|input|human|user|response|answer)|(?:approval|confirmation|review|(?:user|human)?[-_]?input|auth)[-_](?:required|needed|requested|pending)|requires?[-_](?:action|approval|confirmation|input|review))["\]\s]*$/i

/** Types of the parts of messages that ask a person, and that contain the answer. */
const REQUEST_TYPE = /(?:^|[-_.])(?:approval|confirmation|(?:user|human)?[-_]?input)[-_]request(?:ed)?$/i
export const RESPONSE_TYPE = /(?:^|[-_.])(?:approval|confirmation|(?:user|human)?[-_]?input)[-_]response$/i

/** Keys of outputs with the interrupts of a run. */
const INTERRUPT_KEYS: ReadonlySet<string> = new Set(['__interrupt__', 'interrupts', 'interruptions'])

/** Keys of outputs with what a run requests from a person, by the id of the call that needs it. */
const REQUESTED_KEY = /^requested_?(?:\w*_)?\w*(?:approval|confirmation|auth_?config)s$/i

/** A text without these words contains no request. */
const HINT = /approval|interrupt|suspend|paused|input[-_ ]?req|confirmation|requires?[-_]action/i

/** The kinds of spans whose output is that of a run or a model. A tool's result may speak of anything. */
const PLACES: Partial<Record<Kind, typeof OUTPUT>> = {
  plan: OUTPUT,
  agent: OUTPUT,
  chain: OUTPUT,
  span: OUTPUT,
  group: OUTPUT,
  think_act: OUTPUT,
  llm: MODEL_OUTPUT,
  generation: MODEL_OUTPUT,
}

/** Returns the sign in a span of another instrumentation that its run stopped for a person. */
export function stopSignOf({ span, kind }: AdoptNode): StopSign | undefined {
  const places = PLACES[kind]
  return raisedIn(span) ?? saidIn(span) ?? (places && requestedIn(span, places))
}

const RAISED = { type: exceptionFields.type.key, message: exceptionFields.message.key } as const

/** An exception, or an error without one, whose class stops a run. */
function raisedIn({ attributes, events, statusMessage }: StoredSpan): StopSign | undefined {
  for (const { name, attributes: raised } of events) {
    if (name !== EVENTS.exception) continue
    const { [RAISED.type]: type = '', [RAISED.message]: message = '' } = raised
    const found = STOPPING_ERROR.exec(type) ?? STOPPING_ERROR.exec(message.slice(0, MAX_CLASS))
    if (found) return { why: `exception ${found[0].trim()}`, asked: askedByMessage(message) }
  }
  const type = attributes[ATTR.errorType] ?? ''
  return STOPPING_ERROR.test(type)
    ? { why: `${ATTR.errorType} = ${type}`, asked: askedByMessage(statusMessage) }
    : undefined
}

/** Some instrumentations write the class at the beginning of the message. */
const MAX_CLASS = 200

/** An attribute of the span, or of an event with its answer, says that the run stopped. */
function saidIn({ attributes, events }: StoredSpan): StopSign | undefined {
  for (const values of [attributes, ...events.map((event) => event.attributes)]) {
    for (const key in values) {
      if (!OUTCOME_KEY.test(key) || !STOPPED_WORD.test(values[key] ?? '')) continue
      const message = values['message'] ?? ''
      const asked = dataIn(message) ?? pythonIn(message)
      return {
        why: `${key} = ${values[key] ?? ''}`,
        asked: isList(asked) ? interrupts(asked).filter(({ id }) => id !== undefined) : [],
      }
    }
  }
  return undefined
}

/** A request in an output that has no response there. */
function requestedIn({ attributes, events }: StoredSpan, places: typeof OUTPUT): StopSign | undefined {
  const outputs = places.flatMap((place) => (typeof place === 'string' ? [[place, attributes[place]] as const] : []))
  const said = events.flatMap((event) =>
    ['message', 'content', ATTR.outputMessages].map((key) => [key, event.attributes[key]] as const),
  )
  for (const [key, text] of [...outputs, ...said]) {
    if (text === undefined || !HINT.test(text)) continue
    const found = requestsIn(dataIn(text))
    if (found) return { why: `${key}: ${found.why}`, asked: found.asked }
  }
  return undefined
}

/** The number of values of an output that are searched. */
const MAX_VALUES = 20_000

function requestsIn(output: unknown): StopSign | undefined {
  const found: { why: string; asked: Asked[] }[] = []
  let responses = 0
  const pending = [output]
  for (let read = 0; pending.length > 0 && read < MAX_VALUES; read++) {
    const value = pending.pop()
    if (isList(value)) for (const one of value.toReversed()) pending.push(one)
    if (!isData(value)) continue
    const { type } = value
    const kind = typeof type === 'string' ? type : ''
    if (RESPONSE_TYPE.test(kind)) responses++
    if (REQUEST_TYPE.test(kind)) {
      found.push({ why: `type = ${kind}`, asked: askedIn(value) })
      continue
    }
    for (const key in value) {
      const inner = value[key]
      if (isList(inner) && inner.length > 0 && INTERRUPT_KEYS.has(key))
        found.push({ why: key, asked: interrupts(inner) })
      else if (isData(inner) && REQUESTED_KEY.test(key))
        found.push({ why: key, asked: Object.entries(inner).flatMap(([id, one]) => askedIn(one, id)) })
      else if (typeof inner === 'object') pending.push(inner)
    }
    const { approvals, calls } = value
    if (isList(approvals) && isList(calls))
      found.push({ why: 'approvals', asked: [...askedIn(approvals), ...askedIn(calls)] })
  }
  const open = found.slice(responses).filter(({ asked }) => asked.length > 0)
  if (open.length > 0) return { why: open.map((one) => one.why).join(', '), asked: open.flatMap(({ asked }) => asked) }
  const said = isData(output)
    ? Object.keys(output).find((key) => OUTCOME_KEY.test(key) && STOPPED_WORD.test(String(output[key])))
    : undefined
  return said === undefined || !isData(output) ? undefined : { why: `${said} = ${String(output[said])}`, asked: [] }
}

/** Removes the exception with which a run stopped for a person, which is no error. */
export function withoutStop(span: StoredSpan): StoredSpan {
  const isStop = (type: string | undefined, message = ''): boolean =>
    STOPPING_ERROR.test(type ?? '') || STOPPING_ERROR.test(message.slice(0, MAX_CLASS))
  const events = span.events.filter(
    ({ name, attributes }) => name !== EVENTS.exception || !isStop(attributes[RAISED.type], attributes[RAISED.message]),
  )
  const isRaised = events.length < span.events.length || isStop(span.attributes[ATTR.errorType])
  if (!isRaised) return span
  const attributes = Object.fromEntries(
    Object.entries(span.attributes).filter(([key, value]) => value !== '{}' && !/^(?:error|exception)\./.test(key)),
  )
  return { ...span, events, attributes, statusCode: 'UNSET', statusMessage: '' }
}
