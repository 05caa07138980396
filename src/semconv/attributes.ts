/**
 * Every attribute key that planspan writes or reads, spelled once. `gen_ai.*` follows the OpenTelemetry GenAI semantic
 * conventions (open-telemetry/semantic-conventions-genai at e9de14ba), `planspan.*` is planspan's own namespace.
 */
export const ATTR = {
  // Standard keys
  serviceName: 'service.name',
  errorType: 'error.type',
  exceptionType: 'exception.type',
  exceptionMessage: 'exception.message',
  exceptionStacktrace: 'exception.stacktrace',
  operationName: 'gen_ai.operation.name',
  providerName: 'gen_ai.provider.name',
  conversationId: 'gen_ai.conversation.id',
  workflowName: 'gen_ai.workflow.name',
  agentName: 'gen_ai.agent.name',
  agentDescription: 'gen_ai.agent.description',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  responseId: 'gen_ai.response.id',
  responseFinishReasons: 'gen_ai.response.finish_reasons',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  systemInstructions: 'gen_ai.system_instructions',
  toolName: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  toolDescription: 'gen_ai.tool.description',
  toolCallId: 'gen_ai.tool.call.id',
  toolCallArguments: 'gen_ai.tool.call.arguments',
  toolCallResult: 'gen_ai.tool.call.result',
  usageInputTokens: 'gen_ai.usage.input_tokens',
  usageOutputTokens: 'gen_ai.usage.output_tokens',
  usageCacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  usageCacheWriteTokens: 'gen_ai.usage.cache_write.input_tokens',
  usageReasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  evaluationName: 'gen_ai.evaluation.name',
  evaluationScoreValue: 'gen_ai.evaluation.score.value',
  evaluationScoreLabel: 'gen_ai.evaluation.score.label',
  evaluationExplanation: 'gen_ai.evaluation.explanation',

  // What a span is, and its place
  spanKind: 'planspan.span.kind',
  schemaVersion: 'planspan.schema.version',
  spanState: 'planspan.span.state',
  snapshotSeq: 'planspan.snapshot.seq',
  pendingSpanId: 'planspan.pending.span_id',
  pendingParentSpanId: 'planspan.pending.parent_span_id',
  seq: 'planspan.seq',
  linkType: 'planspan.link.type',
  childrenPrefix: 'planspan.children.',
  heartbeatIntervalMs: 'planspan.heartbeat.interval_ms',
  dropped: 'planspan.dropped',
  redactedFields: 'planspan.redacted_fields',
  timeSynthetic: 'planspan.time.synthetic',
  timeZone: 'planspan.time.zone',

  // The imported record
  recordDialect: 'planspan.record.dialect',
  recordEra: 'planspan.record.era',
  recordSource: 'planspan.record.source',
  recordKey: 'planspan.record.key',
  recordDigest: 'planspan.record.digest',
  recordId: 'planspan.record.id',
  recordParentId: 'planspan.record.parent_id',
  recordStartTime: 'planspan.record.start_time',
  recordEndTime: 'planspan.record.end_time',
  residual: 'planspan.residual',

  // State
  state: 'planspan.state',
  status: 'planspan.status',
  errorMessage: 'planspan.error.message',

  // Plan
  planId: 'planspan.plan.id',
  planRootId: 'planspan.plan.root_id',
  planParentId: 'planspan.plan.parent_id',
  planParentToolCallId: 'planspan.plan.parent_tool_call_id',
  planParentToolCall: 'planspan.plan.parent_tool_call',
  planTitle: 'planspan.plan.title',
  planSummary: 'planspan.plan.summary',
  planSteps: 'planspan.plan.steps',
  planCurrentStepIndex: 'planspan.plan.current_step_index',
  planCompleted: 'planspan.plan.completed',
  planModelName: 'planspan.plan.model_name',
  planRevision: 'planspan.plan.revision',
  planSegment: 'planspan.plan.segment',
  planProgress: 'planspan.plan.progress',
  planStepStatuses: 'planspan.plan.step_statuses',
  planStepAgents: 'planspan.plan.step_agents',
  planStatusCounts: 'planspan.plan.status_counts',
  planUpdateReason: 'planspan.plan_update.reason',

  // Roll-ups (never on a span that also carries gen_ai.usage.*)
  usageRollupInputTokens: 'planspan.usage.input_tokens',
  usageRollupOutputTokens: 'planspan.usage.output_tokens',
  usageRollupTotalTokens: 'planspan.usage.total_tokens',
  usageSource: 'planspan.usage.source',

  // Agent and step
  stepId: 'planspan.step.id',
  stepIndex: 'planspan.step.index',
  agentMaxSteps: 'planspan.agent.max_steps',
  agentCurrentStep: 'planspan.agent.current_step',
  agentCompleted: 'planspan.agent.completed',
  agentStuck: 'planspan.agent.stuck',
  agentDetail: 'planspan.agent.detail',
  agentLatestMethodName: 'planspan.agent.latest_method_name',
  agentLatestMethodArgs: 'planspan.agent.latest_method_args',
  agentLatestRoundNumber: 'planspan.agent.latest_round_number',

  // Think-act cycle
  thinkStartTime: 'planspan.think.start_time',
  thinkEndTime: 'planspan.think.end_time',
  thinkInputCharCount: 'planspan.think.input_char_count',
  thinkOutputCharCount: 'planspan.think.output_char_count',
  thinkModelContextLimit: 'planspan.think.model_context_limit',
  actStartTime: 'planspan.act.start_time',
  actEndTime: 'planspan.act.end_time',
  actNeeded: 'planspan.act.needed',
  actDescription: 'planspan.act.description',
  actResult: 'planspan.act.result',

  // Guardrail and world model
  guardrailName: 'planspan.guardrail.name',
  riskScore: 'planspan.risk.score',
  riskIsSafe: 'planspan.risk.is_safe',
  riskExplanation: 'planspan.risk.explanation',
  riskViolatedPolicyIds: 'planspan.risk.violated_policy_ids',
  worldModelSemanticDelta: 'planspan.world_model.semantic_delta',
  worldModelElementChanges: 'planspan.world_model.element_changes',
  worldModelLongTermImpact: 'planspan.world_model.long_term_impact',
  worldModelOptimizationGuidance: 'planspan.world_model.optimization_guidance',

  // Wait
  waitPlanId: 'planspan.wait.plan_id',
  waitTitle: 'planspan.wait.title',
  waitWaiting: 'planspan.wait.waiting',
  waitFormDescription: 'planspan.wait.form_description',
  waitFormInputs: 'planspan.wait.form_inputs',
  waitReason: 'planspan.wait.reason',
  waitResolution: 'planspan.wait.resolution',
  waitActor: 'planspan.wait.actor',

  // Review
  reviewLog: 'planspan.review.log',
  reviewCount: 'planspan.review.count',
  reviewFinalAction: 'planspan.review.final_action',
  reviewAttempt: 'planspan.review.attempt',
  reviewAction: 'planspan.review.action',
  reviewFeedback: 'planspan.review.feedback',

  // Message
  messageRole: 'planspan.message.role',
  messageContent: 'planspan.message.content',
} as const

/** An attribute key of planspan's conventions. */
export type AttributeKey = (typeof ATTR)[keyof typeof ATTR]
