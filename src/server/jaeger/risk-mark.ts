import type { UnsafeAction } from '../../store/index.js'

/** The attribute that Jaeger shows as the warnings of an open span: a list of texts, to which it adds its own. */
export const WARNINGS = '@jaeger@warnings'

/** The attribute for which Jaeger gives a span a red mark in the tree. It has no other mark, and none for warnings. */
export const ERROR = 'error'

/** Returns the outcome of an unsafe action as a warning for readers of the tree. */
export function riskWarning({ taken, tool }: UnsafeAction): string {
  const action = tool === '' ? 'an action' : tool
  return taken
    ? `A risk was taken: ${action} ran although this guardrail found it unsafe.`
    : `This guardrail stopped ${action}.`
}
