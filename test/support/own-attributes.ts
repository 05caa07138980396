import { ATTR } from '../../src/semconv/index.js'

const OWN: ReadonlySet<string> = new Set([
  // The identity of a span, and its position
  ATTR.operationName,
  ATTR.openinferenceSpanKind,
  ATTR.schemaVersion,
  ATTR.planId,
  ATTR.planRootId,
  ATTR.conversationId,
  ATTR.agentName,
  ATTR.timeSynthetic,
  ATTR.timeZone,
  ATTR.recordSource,
  ATTR.recordKey,
  ATTR.recordDigest,
  ATTR.recordSpanCount,
  // The state of a plan, and its error
  ATTR.state,
  ATTR.status,
  ATTR.errorType,
  ATTR.errorMessage,
  // Attributes for viewing single spans
  ATTR.toolName,
  ATTR.guardrailName,
  ATTR.agentDetail,
  ATTR.planRevision,
  ATTR.stepIndex,
  ATTR.actionIndex,
  ATTR.riskActionIndex,
  ATTR.riskActionTaken,
  ATTR.riskRepeated,
  ATTR.usageAggregated,
  ATTR.waitReason,
  ATTR.waitResolution,
  ATTR.waitWaiting,
  ATTR.responseModel,
  ATTR.reviewCount,
  ATTR.reviewFinalAction,
  ATTR.reviewAttempt,
  ATTR.reviewAction,
  ATTR.reviewFeedback,
  ATTR.evaluationName,
  ATTR.evaluationScoreValue,
  ATTR.evaluationScoreLabel,
  ATTR.evaluationExplanation,
])

/** Whether an attribute of an imported record may have no key in the record. */
export const isOwnAttribute = (key: string): boolean => OWN.has(key) || key.startsWith(ATTR.childrenPrefix)
