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
import { isActionTaken, isNotTaken } from '../faults/index.js'
import { errorsOf, errorTexts, stateIfBegun, type SpanNode } from '../tree/index.js'
import { planSteps, type PlanStep } from '../plan/index.js'
import type { Action, Outcome } from './unit.js'

type Describe = (node: SpanNode) => Action

/** The fields that a comparison uses, by role. */
const FIELDS = {
  plan: { workflow: planFields.workflow, title: planFields.title },
  planning: { steps: planningFields.steps, stepsJson: planningFields.stepsJson },
  wait: { reason: waitFields.reason, asked: waitFields.formDescription, title: waitFields.title },
  answer: {
    resolution: waitFields.resolution,
    action: waitFields.reviewAction,
    feedback: waitFields.reviewFeedback,
  },
  agent: { name: agentFields.name },
  llm: { model: llmFields.model, responseModel: llmFields.responseModel, usageSource: llmFields.usageSource },
  guardrail: { name: guardrailFields.name },
  verdict: { isSafe: guardrailFields.isSafe },
  tool: { name: toolFields.name, arguments: toolFields.arguments },
  result: { result: toolFields.result },
} as const

const ACTIONS: Readonly<Record<Role, Describe>> = {
  plan: ({ span }) => {
    const values = decodeFields(FIELDS.plan, span.attributes)
    return { name: values.workflow ?? values.title ?? '', detail: undefined }
  },
  planning: ({ span }) => {
    const steps = planSteps(decodeFields(FIELDS.planning, span.attributes))
    return { name: '', detail: steps.length === 0 ? undefined : stepList(steps) }
  },
  wait: ({ span }) => {
    const values = decodeFields(FIELDS.wait, span.attributes)
    return { name: values.reason ?? '', detail: values.asked ?? values.title }
  },
  agent: ({ span }) => ({ name: decodeFields(FIELDS.agent, span.attributes).name ?? '', detail: undefined }),
  think_act: () => ({ name: '', detail: undefined }),
  llm: ({ span }) => {
    const values = decodeFields(FIELDS.llm, span.attributes)
    return { name: values.usageSource ?? '', detail: values.model ?? values.responseModel }
  },
  guardrail: ({ span }) => ({
    name: decodeFields(FIELDS.guardrail, span.attributes).name ?? '',
    detail: undefined,
  }),
  tool: ({ span }) => {
    const values = decodeFields(FIELDS.tool, span.attributes)
    return { name: values.name ?? '', detail: values.arguments }
  },
}

const stepList = (steps: readonly PlanStep[]): string =>
  steps.map(({ title }, index) => `${index + 1}. ${title}`).join('\n')

/** Returns what a span did. */
export const actionOf = (role: Role, node: SpanNode): Action => ACTIONS[role](node)

/** Returns the outcome of a span. */
export function outcomeOf(role: Role, node: SpanNode): Outcome {
  return {
    state: stateIfBegun(node),
    error: errorTexts(errorsOf(node)),
    isSafe: role === 'guardrail' ? decodeFields(FIELDS.verdict, node.span.attributes).isSafe : undefined,
    isTaken: role === 'guardrail' ? isActionTaken(node) : role === 'tool' ? !isNotTaken(node) : undefined,
    answer: role === 'wait' ? answerOf(node) : undefined,
  }
}

function answerOf({ span }: SpanNode): string | undefined {
  const values = decodeFields(FIELDS.answer, span.attributes)
  const parts = [values.action ?? values.resolution, values.feedback].filter((part) => part)
  return parts.length === 0 ? undefined : parts.join(': ')
}

/** Returns the result of a tool call. */
export const resultOf = ({ span }: SpanNode): string | undefined => decodeFields(FIELDS.result, span.attributes).result

/** Whether the times of a span were recorded, not derived by an import. */
export const hasOwnTimes = ({ span }: SpanNode): boolean => span.attributes[ATTR.timeSynthetic] !== 'true'
