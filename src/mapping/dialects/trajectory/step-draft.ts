import { draft, draftState, type SpanDraft } from '../span-draft.js'
import { itemsOf, member, stringOf, type JsonNode, type JsonObject, compactJson } from '../../json/index.js'
import type { HomeValues } from '../../record-object/index.js'
import { OBJECTS } from './era.js'
import { errorEvents } from './step-errors.js'
import { evaluationEvents, guardrailDrafts, withOutcomes } from './guardrails.js'
import type { StepParts } from './properties.js'
import { stepBounds } from './stamps.js'
import { toolDrafts } from './tools.js'
import { modelCallDraft } from './usage-sources.js'

export interface StepContext {
  /** The kind of the agent's actions, such as pyautogui. */
  readonly actionSpace: string | undefined
  readonly timeZone: string
}

/** Reads one step of a trajectory. */
export function stepDraft(step: JsonObject, seq: number, { actionSpace, timeZone }: StepContext): SpanDraft {
  const { think_act: values, parts } = OBJECTS.step.read(step)
  const bounds = stepBounds(values.timestamp, values.durationSeconds, timeZone)
  const tools = toolDrafts(parts, { within: bounds, actionSpace, timeZone })
  const modelCall = { ...readResponse(parts.response), ...OBJECTS.usage.read(parts.token_usage).llm }
  const hasModelCall = Object.keys(modelCall).length > 0
  const failure = failureOf(parts, tools)
  const guardrails = withOutcomes(guardrailDrafts(parts), tools)
  return draft(
    'think_act',
    { ...values, ...OBJECTS.planUpdate.read(member(parts.safety_info, 'plan_update')).think_act },
    {
      every: { ...failure, ...draftState(failure ? 'failed' : 'completed') },
      ...bounds,
      seq,
      events: [...errorEvents(parts.errors, timeZone), ...evaluationEvents(guardrails)],
      children: [
        ...(hasModelCall ? [modelCallDraft(modelCall, { start: bounds.start })] : []),
        ...guardrails,
        ...tools,
      ],
    },
  )
}

/** Reads the model's answer: a text, or the items of a Responses API. */
function readResponse(response: JsonNode | undefined): HomeValues<'llm'> {
  if (response?.kind === 'string') return { output: response.value }
  return response?.kind === 'array' ? { outputItems: compactJson(response) } : {}
}

/** A step failed if none of its actions ran without an error. */
function failureOf(
  { errors, action_results }: StepParts,
  tools: readonly SpanDraft[],
): { errorType?: string; errorMessage?: string } | undefined {
  const [first] = itemsOf(errors)
  const failed = tools.filter(({ every }) => every.state === 'failed')
  const ran = itemsOf(action_results).length
  if ((!first && failed.length === 0) || failed.length < ran) return undefined
  const type = stringOf(member(first, 'type')) ?? failed[0]?.every.errorType
  const message = stringOf(member(first, 'message')) ?? failed[0]?.every.errorMessage
  return {
    ...(type === undefined ? {} : { errorType: type }),
    ...(message === undefined ? {} : { errorMessage: message }),
  }
}
