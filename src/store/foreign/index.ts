import { LOGFIRE, MASTRA } from '../../mapping/index.js'
import { ATTR } from '../../semconv/index.js'
import { FACT_KEYS, factSql, knownSql } from './fact-sql.js'
import { CONVENTION, KIND, LINES, MAY_BE_FOREIGN, RULE, RULE_KEYS, SAYS_FAILED } from './kind-sql.js'
import { tuple } from './literals.js'
import { ANSWER, ANSWER_KEYS, INPUT_TEXT, REQUEST } from './request-sql.js'
import { TOLD_KEYS } from './role-branch.js'
import { FOREIGN_TOLD } from './searched-spans.js'

/** The attributes that are kept beside the spans. */
const KEPT = [...new Set([...RULE_KEYS, ...FACT_KEYS, ...TOLD_KEYS, ATTR.within, MASTRA.resumed, MASTRA.status])]

export { LOOKS_FOREIGN } from './kind-sql.js'

/** What stands for the rules of the mapping in the migrations. */
export const FOREIGN_PARTS = {
  may_be_foreign: MAY_BE_FOREIGN,
  foreign_keys: tuple(KEPT),
  foreign_is_snapshot: `SpanAttributes['${LOGFIRE.type}'] = '${LOGFIRE.pending}'`,
  foreign_snapshot_parent: `if(SpanAttributes['${LOGFIRE.parent}'] = '${LOGFIRE.noParent}', '', SpanAttributes['${LOGFIRE.parent}'])`,
  foreign_is_suspended: `Facts['${MASTRA.status}'] = '${MASTRA.suspended}'`,
  foreign_is_resumed: `Facts['${MASTRA.resumed}'] = 'true'`,
  foreign_lines: LINES,
  foreign_rule: RULE,
  foreign_convention: CONVENTION,
  foreign_kind: KIND,
  foreign_says_failed: SAYS_FAILED,
  foreign_input: INPUT_TEXT,
  foreign_request: REQUEST,
  foreign_known: knownSql(['plan', 'agent']),
  foreign_title: factSql('plan', ATTR.planTitle),
  foreign_agent_name: factSql('agent', ATTR.agentName),
  foreign_conversation: factSql('plan', ATTR.conversationId),
  foreign_told: FOREIGN_TOLD,
  foreign_answer: ANSWER,
  foreign_answer_keys: ANSWER_KEYS,
}
