import { UNTYPED_ERROR } from '../../../semconv/index.js'
import { draft, draftState, type Bounds, type SpanDraft } from '../span-draft.js'
import { itemsOf, jsonString, type JsonNode, type JsonObject } from '../../json/index.js'
import type { HomeValues } from '../../record-object/index.js'
import { readAction, writeAction } from './action.js'
import { FAILED_RESULT_OBJECT, OBJECTS } from './era.js'
import type { StepParts } from './properties.js'
import { actionBounds } from './stamps.js'

/** An action's position in its record and step, and values that apply to all actions of the run. */
interface ActionPlace {
  readonly seq: number
  readonly actionIndex: number
  readonly within: Bounds
  readonly actionSpace: string | undefined
  readonly timeZone: string
}

/** Reads one action and its result. */
function toolDraft(
  action: JsonNode | undefined,
  result: JsonNode | undefined,
  { seq, actionIndex, within, actionSpace, timeZone }: ActionPlace,
): SpanDraft {
  const read = readAction(action)
  const { tool: outcome, parts } = OBJECTS.result.read(result)
  const error = readError(parts.error)
  return draft(
    'tool',
    { name: actionSpace, actionIndex, arguments: read?.text, actionIsText: read?.isText || undefined, ...outcome },
    {
      subject: actionSpace,
      every: { ...error, ...draftState(error ? 'failed' : undefined) },
      ...actionBounds(outcome.actionTimestamp, outcome.actionDurationSeconds, within, timeZone),
      seq,
      children: [],
    },
  )
}

/** Reads the actions of a step. The results are in the order of the actions. */
export function toolDrafts(step: StepParts, place: Omit<ActionPlace, 'seq' | 'actionIndex'>): SpanDraft[] {
  const results = itemsOf(step.action_results)
  return itemsOf(step.actions).map((action, index) =>
    toolDraft(action, results[index], { ...place, seq: index, actionIndex: index }),
  )
}

/** Reads an error: an object with a type, or a text. */
const readError = (error: JsonNode | undefined): HomeValues<'tool'> | undefined =>
  error?.kind === 'string'
    ? { errorMessage: error.value }
    : error?.kind === 'object'
      ? OBJECTS.error.read(error).tool
      : undefined

export const actionNode = ({ arguments: text, actionIsText }: HomeValues<'tool'>): JsonNode | undefined =>
  writeAction(text, actionIsText)

/** Writes one of the `action_results[]`. Undefined for an action that never ran. */
export function writeResult(values: HomeValues<'tool'>): JsonObject | undefined {
  const action = actionNode(values)
  const error = writeError(values, action)
  const result = error ? FAILED_RESULT_OBJECT : OBJECTS.result
  if (!result.writeUnlessEmpty({ tool: values, parts: { error } })) return undefined
  return result.write({ tool: values, parts: { action, error } })
}

function writeError(values: HomeValues<'tool'>, action: JsonNode | undefined): JsonNode | undefined {
  const { errorType, errorMessage, actionTimestamp } = values
  if (errorType === UNTYPED_ERROR && errorMessage !== undefined) return jsonString(errorMessage)
  if (errorType === undefined && errorMessage === undefined) return undefined
  const timestamp = actionTimestamp === undefined ? undefined : jsonString(actionTimestamp)
  return OBJECTS.error.write({ tool: values, parts: { timestamp, action } })
}
