import { STATE_WORDS } from '../../mapping/index.js'
import { type Role, ROLES } from '../../semconv/index.js'
import { generationsSql } from '../generations.js'
import { querySql } from '../query.js'
import { fillSql, readSql } from '../sql-file.js'
import { roleSpans } from './role-spans.js'
import { openFacts, openPlanFacts, OVER, ownPlanFacts, spanFacts, stateSql, toldSql } from './state-sql.js'

/**
 * The SQL that stands for `${name}` in the files of the views: the spans of each role (`${tool}`), the same with the
 * states of what is open worked out (`${open_tool}`), and what several views share. `${database}` is left open.
 */
export function viewFragments(): Readonly<Record<string, string>> {
  const candidates = querySql('traces', { database: '${database}', where: fragment('superseded_candidates') })
  const lists = ['Steps', 'StepsJson']
  const parts = {
    ...Object.fromEntries(ROLES.map((role) => [role, roleSpans(role).sql])),
    plan_lists: roleSpans('plan', lists).sql,
    planning_lists: roleSpans('planning', lists).sql,
    agent_told: toldSql('agent'),
    agent_state: stateSql(spanFacts('agent')),
    wait_told: toldSql('wait'),
    own_plan_state: stateSql(ownPlanFacts),
    open_plan_state: stateSql(openPlanFacts),
    over: OVER,
    state_words: arrayLiteral(STATE_WORDS.keys()),
    word_states: arrayLiteral(STATE_WORDS.values()),
    listed_steps: fragment('listed_steps'),
    resumed_plans: fragment('resumed_plans'),
    superseded: generationsSql(candidates, 'superseded'),
  }
  const filled = (name: string, more = {}) => fillSql(fragment(name), { ...parts, ...more })
  const around = {
    imports: "SELECT TraceId FROM ${database}.plan_states WHERE Dialect != ''",
    waitingSpans: filled('waiting_spans'),
  }
  const openSpans = (role: Role) =>
    filled('open_spans', { spans: roleSpans(role).sql, state: stateSql(openFacts(role, around)) })
  return {
    ...parts,
    ...Object.fromEntries(ROLES.map((role) => [`open_${role}`, openSpans(role)])),
    continued_agents: filled('continued_agents'),
    open_traces: filled('open_traces'),
    standing_plans: filled('standing_plans'),
    planned_steps: filled('planned_steps'),
    worked_steps: filled('worked_steps'),
  }
}

const fragment = (name: string): string => readSql(`fragments/${name}.sql`).trimEnd()

const arrayLiteral = (texts: Iterable<string>): string => `[${[...texts].map((text) => `'${text}'`).join(', ')}]`
