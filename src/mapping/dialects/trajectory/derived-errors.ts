import {
  decodeFields,
  encodeFields,
  EVENTS,
  exceptionFields,
  type SpanEvent,
  toolFields,
} from '../../../semconv/index.js'
import { compactJson, jsonObject, type JsonNode, jsonString, tryParseJson } from '../../json/index.js'
import type { HomeValues } from '../../record-object/index.js'
import {
  errorsOf,
  errorsWithin,
  errorText,
  exceptionsOf,
  nearest,
  type SpanError,
  type SpanNode,
  walk,
} from '../../tree/index.js'
import type { TrajectorySource } from './decode.js'
import { stampOf } from './stamps.js'

/**
 * Returns the errors of each step with their times and, below an action, with the action; without the errors of the
 * actions themselves, whose results contain them. An error outside of all steps is added to the last step, because
 * SafePred has no other place for it.
 */
export function errorsOfSteps(plan: SpanNode, steps: readonly SpanNode[]): TrajectorySource['eventsOf'] {
  const recorded = new Set(steps.flatMap((step) => errorsWithin(step, APART).map(errorText)))
  const rest = errorsWithin(plan, APART).filter((error) => !recorded.has(errorText(error)))
  return (step) => {
    const own = exceptionsOf(step).map(({ attributes, ...error }): StepError => ({ ...error, recorded: attributes }))
    const inResults = nearest(step, 'tool').flatMap(errorsOf)
    const said = new Set([...own, ...inResults].map(errorText))
    const others = errorsWithin(step, APART).filter((error) => !said.has(errorText(error)))
    const actions = actionsBelow(step)
    return [...own, ...others, ...(step === steps.at(-1) ? rest : [])].map((error) => eventOf(error, actions))
  }
}

const APART = ['plan'] as const

/** A step's error. An exception that was recorded with more than its class, message and time keeps these values. */
interface StepError extends SpanError {
  readonly recorded?: Readonly<Record<string, string>>
}

/** Returns the action that each span below an action belongs to. */
function actionsBelow(step: SpanNode): ReadonlyMap<SpanError['span'], string> {
  const actions = new Map<SpanError['span'], string>()
  for (const tool of nearest(step, 'tool')) {
    const action = actionText(decodeFields(toolFields, tool.span.attributes))
    for (const { span } of walk(tool)) actions.set(span, action)
  }
  return actions
}

const NOTHING_RECORDED = {}

function eventOf(
  { span, type, message, time, recorded = NOTHING_RECORDED }: StepError,
  actions: ReadonlyMap<SpanError['span'], string>,
): SpanEvent<string> {
  const derived = encodeFields(exceptionFields, { type, message, timestamp: stampOf(time), action: actions.get(span) })
  return { name: EVENTS.exception, timeUnixNano: time, attributes: { ...(derived as typeof recorded), ...recorded } }
}

/** Writes a tool call as an action object. The tool is its type. */
export function actionText({ name = '', arguments: text }: HomeValues<'tool'>): string {
  const parameters = text === undefined ? undefined : (tryParseJson(text) ?? jsonString(text))
  const members: [string, JsonNode][] = [['action_type', jsonString(name)]]
  if (parameters) members.push(['parameters', parameters])
  return compactJson(jsonObject(members))
}
