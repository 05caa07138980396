import type { Role } from '../../../semconv/index.js'
import type { SpanDraft } from '../span-draft.js'

/** Returns the part of a span's name that comes from its values. */
export function subjectOf(role: Role, values: SpanDraft['values']): string | undefined {
  const { name, workflow, planner, model, responseModel } = values
  const subject = { plan: workflow, planning: planner, llm: model ?? responseModel }[role as 'plan'] ?? name
  return typeof subject === 'string' ? subject : undefined
}
