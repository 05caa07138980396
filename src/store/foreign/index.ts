import { ATTR } from '../../semconv/index.js'
import { FACT_KEYS, factSql, toldSql } from './fact-sql.js'
import { CONVENTION, KIND, LINES, MAY_BE_FOREIGN, RULE, RULE_KEYS, SAYS_FAILED } from './kind-sql.js'
import { tuple } from './literals.js'
import { INPUT_TEXT, REQUEST } from './request-sql.js'
import { TOLD_KEYS } from './role-branch.js'

/** The attributes that are kept beside the spans. */
const KEPT = [
  ...new Set([
    ...RULE_KEYS,
    ...FACT_KEYS,
    ...TOLD_KEYS,
    ATTR.within,
    'mastra.metadata.resumed',
    'mastra.workflow_run.status',
  ]),
]

/** What stands for the rules of the mapping in `0009_foreign_spans.sql`. */
export const FOREIGN_PARTS = {
  may_be_foreign: MAY_BE_FOREIGN,
  foreign_keys: tuple(KEPT),
  foreign_lines: LINES,
  foreign_rule: RULE,
  foreign_convention: CONVENTION,
  foreign_kind: KIND,
  foreign_says_failed: SAYS_FAILED,
  foreign_input: INPUT_TEXT,
  foreign_request: REQUEST,
  foreign_known: toldSql(['plan', 'agent']),
  foreign_title: factSql('plan', ATTR.planTitle),
  foreign_agent_name: factSql('agent', ATTR.agentName),
  foreign_conversation: factSql('plan', ATTR.conversationId),
}
