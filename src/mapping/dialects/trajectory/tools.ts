import { UNTYPED_ERROR } from '../../../semconv/index.js'
import { draft, draftState, type SpanDraft } from '../../draft.js'
import { itemsOf, jsonString, member, stringOf, type JsonNode, type JsonObject } from '../../json/node.js'
import { pythonFloatForm } from '../../form.js'
import { readAction, writeAction } from './action.js'
import { presentObject, readPresent, writePresent, type Values } from './present.js'
import { resultShape } from './shapes.js'
import { actionBounds, type Bounds } from './times.js'

/** What an action's span is told by the run: its place in the record, its step and its kind of actions. */
interface ActionPlace {
  readonly seq: number
  readonly actionIndex: number
  readonly within: Bounds
  readonly actionSpace: string | undefined
  readonly timeZone: string
}

/** One action and what came of it. */
function toolDraft(
  action: JsonNode | undefined,
  result: JsonNode | undefined,
  { seq, actionIndex, within, actionSpace, timeZone }: ActionPlace,
): SpanDraft {
  const read = readAction(action)
  const outcome = readPresent(result, resultShape)
  const error = readError(member(result, 'error'))
  return draft(
    'tool',
    {
      name: actionSpace,
      actionIndex,
      ...(read ? { arguments: read.text, ...(read.isText ? { actionIsText: true } : {}) } : {}),
      ...outcome,
    },
    {
      subject: actionSpace,
      every: { ...error, ...draftState(error ? 'failed' : undefined) },
      ...actionBounds(outcome['actionTimestamp'], outcome['actionDurationSeconds'], within, timeZone),
      seq,
      children: [],
    },
  )
}

/** The actions of a step; the results stand in the order of the actions. */
export function toolDrafts(step: JsonObject, place: Omit<ActionPlace, 'seq' | 'actionIndex'>): SpanDraft[] {
  const results = itemsOf(member(step, 'action_results'))
  return itemsOf(member(step, 'actions')).map((action, index) =>
    toolDraft(action, results[index], { ...place, seq: index, actionIndex: index }),
  )
}

/** An error as the writer notes it, an object with a type, or a text alone. */
function readError(error: JsonNode | undefined): { errorType?: string; errorMessage?: string } | undefined {
  if (error?.kind === 'string') return { errorMessage: error.value }
  if (error?.kind !== 'object') return undefined
  const type = stringOf(member(error, 'type'))
  const message = stringOf(member(error, 'message'))
  return {
    ...(type === undefined ? {} : { errorType: type }),
    ...(message === undefined ? {} : { errorMessage: message }),
  }
}

export const actionNode = ({ own }: { readonly own: Values }): JsonNode | undefined =>
  writeAction(own['arguments'], own['actionIsText'])

/** The entries of `action_results[]`; undefined for an action that was never run. */
export function writeResult(
  values: { readonly every: Values; readonly own: Values },
  action: JsonNode | undefined,
): Readonly<Record<string, JsonNode | undefined>> | undefined {
  const { every, own } = values
  const error = writeError(every, action, own['actionTimestamp'])
  const { reward, next_state_a11y_tree, next_state_screenshot_file, ...rest } = writePresent(own, resultShape)
  const { action_timestamp, ...outcome } = rest
  // The writer notes 0.0 for an action that failed, and the environment's own number else.
  const written = error && typeof own['reward'] === 'number' ? pythonFloatForm.write(own['reward']) : reward
  const { done, info, action_duration_seconds } = outcome
  const entries = {
    action_timestamp,
    reward: written,
    done,
    info,
    action_duration_seconds,
    error,
    next_state_a11y_tree,
    next_state_screenshot_file,
  }
  return presentObject(entries) ? { action, ...entries } : undefined
}

function writeError(
  { errorType, errorMessage }: Values,
  action: JsonNode | undefined,
  timestamp: unknown,
): JsonNode | undefined {
  if (errorType === UNTYPED_ERROR && typeof errorMessage === 'string') return jsonString(errorMessage)
  if (errorType === undefined && errorMessage === undefined) return undefined
  const text = (value: unknown): JsonNode | undefined => (typeof value === 'string' ? jsonString(value) : undefined)
  return presentObject({ type: text(errorType), message: text(errorMessage), timestamp: text(timestamp), action })
}
