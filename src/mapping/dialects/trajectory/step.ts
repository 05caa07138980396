import { draft, draftState, type SpanDraft } from '../../draft.js'
import { itemsOf, member, stringOf, type JsonNode, type JsonObject } from '../../json/node.js'
import { compactJson } from '../../json/write.js'
import { errorEvents } from './errors.js'
import { guardrailDrafts, withOutcomes } from './guardrails.js'
import { readPresent, type Values } from './present.js'
import { planUpdateShape, stepShape } from './shapes.js'
import { stepBounds } from './times.js'
import { toolDrafts } from './tools.js'
import { chatDraft, readUsage } from './usage.js'

export interface StepContext {
  /** What kind of actions the agent takes, e.g. pyautogui. */
  readonly actionSpace: string | undefined
  readonly timeZone: string
}

/** One step of a trajectory. */
export function stepDraft(step: JsonObject, seq: number, { actionSpace, timeZone }: StepContext): SpanDraft {
  const values = readPresent(step, stepShape)
  const bounds = stepBounds(values['timestamp'], values['durationSeconds'], timeZone)
  const tools = toolDrafts(step, { within: bounds, actionSpace, timeZone })
  const chat = { ...readResponse(member(step, 'response')), ...readUsage(member(step, 'token_usage')) }
  const hasChat = Object.keys(chat).length > 0
  const failure = failureOf(step, tools)
  return draft(
    'think_act',
    { ...values, ...readPresent(member(member(step, 'safety_info'), 'plan_update'), planUpdateShape) },
    {
      every: { ...failure, ...draftState(failure ? 'failed' : 'completed') },
      ...bounds,
      seq,
      events: errorEvents(member(step, 'errors'), timeZone),
      children: [
        ...(hasChat ? [chatDraft(chat, { start: bounds.start, end: undefined })] : []),
        ...withOutcomes(guardrailDrafts(step), tools),
        ...tools,
      ],
    },
  )
}

/** What the model answered: a text, or the items of a Responses API. */
function readResponse(response: JsonNode | undefined): Values {
  if (response?.kind === 'string') return { output: response.value }
  return response?.kind === 'array' ? { outputItems: compactJson(response) } : {}
}

/** A step failed when none of its actions ran without an error. */
function failureOf(
  step: JsonObject,
  tools: readonly SpanDraft[],
): { errorType?: string; errorMessage?: string } | undefined {
  const errors = itemsOf(member(step, 'errors'))
  const failed = tools.filter(({ every }) => every.state === 'failed')
  const ran = itemsOf(member(step, 'action_results')).length
  if ((errors.length === 0 && failed.length === 0) || failed.length < ran) return undefined
  const type = stringOf(member(errors[0], 'type')) ?? failed[0]?.every.errorType
  const message = stringOf(member(errors[0], 'message')) ?? failed[0]?.every.errorMessage
  return {
    ...(type === undefined ? {} : { errorType: type }),
    ...(message === undefined ? {} : { errorMessage: message }),
  }
}
