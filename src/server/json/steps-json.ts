import { isoOf, type PlanCourse, type SpanNode } from '../../mapping/index.js'
import { ATTR, decodeFields, isData, isList, parseJson, textIn, waitFields } from '../../semconv/index.js'
import { cutText, type StepsJson } from '../../wire/index.js'

type PlanSteps = StepsJson['plans'][number]

/** Converts the plans of a trace to JSON: steps with the spans that worked on them, versions, reviews and waits. */
export const toStepsJson = (traceId: string, courses: readonly PlanCourse[]): StepsJson => ({
  traceId,
  plans: courses.map(planJson),
})

function planJson({ plan, steps, others, versions, reviews, waits }: PlanCourse): PlanSteps {
  return {
    spanId: plan.span.spanId,
    planId: plan.span.attributes[ATTR.planId] ?? null,
    steps: steps.map(({ index, id, title, state, agents, calls }) => ({
      index,
      id: id ?? null,
      title: cutText(title || undefined),
      state: state ?? null,
      agents: agents.map(idOf),
      calls: calls.map(idOf),
    })),
    others: others.map(idOf),
    versions: versions.map((version) => ({
      spanId: idOf(version.node),
      time: isoOf(version.time),
      planner: version.planner ?? null,
      revision: version.revision ?? null,
      reason: cutText(version.reason),
      steps: version.steps?.length ?? null,
      text: cutText(version.text),
      changes: version.changes.map(({ kind, index, title, was }) => ({
        kind,
        index,
        title: cutText(title) ?? '',
        was: cutText(was),
      })),
    })),
    reviews: reviews.map(({ attempt, action, feedback, reviewer, time: at, wait }) => ({
      attempt: attempt ?? null,
      action: action ?? null,
      feedback: cutText(feedback),
      reviewer: reviewer ?? null,
      time: at === undefined ? null : isoOf(at),
      wait: wait ? idOf(wait) : null,
    })),
    waits: waits.map(waitJson),
  }
}

const idOf = ({ span }: SpanNode): string => span.spanId

function waitJson({ span }: SpanNode): PlanSteps['waits'][number] {
  const { reason, title, formDescription, resolution, actor, answer, ...form } = decodeFields(
    waitFields,
    span.attributes,
  )
  return {
    spanId: span.spanId,
    reason: reason ?? null,
    title: cutText(title),
    question: cutText(formDescription),
    answers:
      answer === undefined
        ? answersIn(form.formAnswers ?? form.formInputs)
        : [{ label: null, value: cutText(answer) ?? answer }],
    resolution: resolution ?? null,
    actor: actor ?? null,
  }
}

/** The inputs of a form that have a value. */
function answersIn(formInputs: string | undefined): PlanSteps['waits'][number]['answers'] {
  const inputs = parseJson(formInputs ?? '[]')
  return (isList(inputs) ? inputs : []).filter(isData).flatMap((input) => {
    const value = cutText(textIn(input, 'value') || undefined)
    return value === null ? [] : [{ label: cutText(textIn(input, 'label') ?? textIn(input, 'name')), value }]
  })
}
