import { member, type JsonNode } from '../../json/node.js'

/** Whether a document is a planner run: a question, and the plan that answers it. */
export function isReviewLog(document: JsonNode): boolean {
  const plan = member(document, 'plan')
  if (plan?.kind !== 'object' || !member(document, 'question')) return false
  return ['timestamp', 'review_log', 'telemetry', 'locale'].some((key) => member(document, key) !== undefined)
}
