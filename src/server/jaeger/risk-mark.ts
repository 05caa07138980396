import type { UnsafeAction } from '../../store/index.js'

/** The attribute that Jaeger shows as the warnings of an open span: a list of texts, to which it adds its own. */
export const WARNINGS = '@jaeger@warnings'

/** The attribute that makes Jaeger mark a span red in the tree. Jaeger has no mark for warnings. */
export const ERROR = 'error'

/** Describes the outcome of an unsafe action. */
export function riskWarning({ taken, tool }: UnsafeAction): string {
  const action = tool === '' ? 'an action' : tool
  return taken
    ? `A risk was taken: ${action} ran although this guardrail found it unsafe.`
    : `This guardrail stopped ${action}.`
}
