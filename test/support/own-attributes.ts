import { ATTR } from '../../src/semconv/index.js'

const OWN: ReadonlySet<string> = new Set([
  // What a span is, and its place
  ATTR.operationName,
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
  // Where a plan stands, and how it failed
  ATTR.state,
  ATTR.status,
  ATTR.errorType,
  ATTR.errorMessage,
  // What is told for looking at spans alone
  ATTR.workflowName,
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

/** Whether an attribute of an imported record may be one that no key of the record stands for. */
export const isOwnAttribute = (key: string): boolean => OWN.has(key) || key.startsWith(ATTR.childrenPrefix)
