import type { Place } from './fact-place.js'
import { TOOL_NAME } from './fact-places.js'

/** A guardrail's own name. A tool that it names is the tool of the judged call. */
export const GUARDRAIL_NAME: readonly Place[] = [
  'gen_ai.guardrail.name',
  'gen_ai.guardrail.component.name',
  'gen_ai.guardian.name',
  'microsoft.guardian.name',
  { name: /^(?:run|apply)_guardrail\s+(?<rest>.+)$/ },
  ...TOOL_NAME.filter((place) => place !== 'gen_ai.tool.name'),
]

/** The decision of a guardrail in one word. */
export const GUARDRAIL_WORD: readonly Place[] = [
  'gen_ai.security.decision.type',
  'microsoft.security.decision.type',
  'gen_ai.security.verdict.type',
  'gen_ai.security.action.type',
  'gen_ai.guardrail.action',
  'guardrail.action',
]

/** Whether a guardrail was triggered, and stopped what it guards. */
export const GUARDRAIL_TRIGGERED: readonly Place[] = ['guardrail.triggered', 'triggered']

/** The kind and the id of what a guardrail checked. */
export const GUARDED_TYPE: readonly Place[] = ['gen_ai.security.target.type', 'microsoft.security.target.type']
export const GUARDED_ID: readonly Place[] = ['gen_ai.security.target.id', 'microsoft.security.target.id']

export const GUARDRAIL_EXPLANATION: readonly Place[] = [
  'langfuse.observation.status_message',
  'gen_ai.security.decision.reason',
  'microsoft.security.decision.reason',
]

export const GUARDRAIL_POLICY: readonly Place[] = [
  'gen_ai.security.policy.id',
  'microsoft.security.policy.id',
  'security.policy.id',
]

export const RISK_SCORE: readonly Place[] = [
  'gen_ai.security.risk.score',
  'microsoft.security.risk.score',
  'security.risk.score',
  'guardrail.risk_score',
]
