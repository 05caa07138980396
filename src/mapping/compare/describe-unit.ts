import {
  agentFields,
  ATTR,
  decodeFields,
  guardrailFields,
  llmFields,
  planFields,
  planningFields,
  type Role,
  toolFields,
  waitFields,
} from '../../semconv/index.js'
import { isActionTaken } from '../action-taken.js'
import { isNotTaken } from '../cycle-calls.js'
import { errorsOf, errorTexts } from '../errors.js'
import { planSteps, type PlanStep } from '../plan-steps.js'
import { standingOf } from '../state.js'
import type { SpanNode } from '../tree.js'
import type { Action, Outcome } from './unit.js'

type Told = (node: SpanNode) => Action

const { workflow, title } = planFields
const { model, responseModel, usageSource } = llmFields
const { name: tool, arguments: given, result } = toolFields
const { name: guardrail, isSafe } = guardrailFields
const { reason, formDescription, title: formTitle, resolution, reviewAction, reviewFeedback } = waitFields
const { name: agent } = agentFields

const ACTIONS: Readonly<Record<Role, Told>> = {
  plan: ({ span }) => {
    const told = decodeFields({ workflow, title }, span.attributes)
    return { name: told.workflow ?? told.title ?? '', detail: undefined }
  },
  planning: ({ span }) => {
    const steps = planSteps(decodeFields(planningFields, span.attributes))
    return { name: '', detail: steps.length === 0 ? undefined : stepList(steps) }
  },
  wait: ({ span }) => {
    const told = decodeFields({ reason, formDescription, formTitle }, span.attributes)
    return { name: told.reason ?? '', detail: told.formDescription ?? told.formTitle }
  },
  agent: ({ span }) => ({ name: decodeFields({ agent }, span.attributes).agent ?? '', detail: undefined }),
  think_act: () => ({ name: '', detail: undefined }),
  llm: ({ span }) => {
    const told = decodeFields({ model, responseModel, usageSource }, span.attributes)
    return { name: told.usageSource ?? '', detail: told.model ?? told.responseModel }
  },
  guardrail: ({ span }) => ({
    name: decodeFields({ guardrail }, span.attributes).guardrail ?? '',
    detail: undefined,
  }),
  tool: ({ span }) => {
    const told = decodeFields({ tool, given }, span.attributes)
    return { name: told.tool ?? '', detail: told.given }
  },
}

const stepList = (steps: readonly PlanStep[]): string =>
  steps.map(({ title }, index) => `${index + 1}. ${title}`).join('\n')

/** What a span did. */
export const actionOf = (role: Role, node: SpanNode): Action => ACTIONS[role](node)

/** What came of it. */
export function outcomeOf(role: Role, node: SpanNode): Outcome {
  return {
    state: standingOf(node),
    error: errorTexts(errorsOf(node)),
    isSafe: role === 'guardrail' ? decodeFields({ isSafe }, node.span.attributes).isSafe : undefined,
    isTaken: role === 'guardrail' ? isActionTaken(node) : role === 'tool' ? !isNotTaken(node) : undefined,
    answer: role === 'wait' ? answerOf(node) : undefined,
  }
}

function answerOf({ span }: SpanNode): string | undefined {
  const told = decodeFields({ resolution, reviewAction, reviewFeedback }, span.attributes)
  const said = [told.reviewAction ?? told.resolution, told.reviewFeedback].filter((part) => part)
  return said.length === 0 ? undefined : said.join(': ')
}

/** What a tool answered. */
export const resultOf = ({ span }: SpanNode): string | undefined => decodeFields({ result }, span.attributes).result

/** Whether a span's times were made up by an import. */
export const hasOwnTimes = ({ span }: SpanNode): boolean => span.attributes[ATTR.timeSynthetic] !== 'true'
