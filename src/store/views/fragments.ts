import { STATE_WORDS } from '../../mapping/index.js'
import { type Role, ROLES } from '../../semconv/index.js'
import { generationsSql } from '../generations.js'
import { querySql } from '../query.js'
import { fillSql, readSql } from '../sql-file.js'
import { roleSpans } from './role-spans.js'
import { allRows, endedRows, inTraces, lastRows, type SpanEngine } from './span-rows.js'
import { MAY_BE_OPEN, openFacts, openPlanFacts, OVER, ownPlanFacts, stateSql, toldSql } from './state-sql.js'

/**
 * The SQL that stands for `${name}` in the files of the views: the spans of each role (`${tool}`), the same with the
 * states of what is open worked out (`${open_tool}`), the rows that they are made of (`${tool_rows}`), all rows of the
 * role (`${all_tool_rows}`), and what several views share. `${database}` is left open.
 */
export function viewFragments(engine: SpanEngine): Readonly<Record<string, string>> {
  const spansOf = (role: Role, only?: readonly string[]) => roleSpans(role, { engine, ...(only && { only }) }).sql
  const rules = {
    wait_told: toldSql('wait'),
    own_plan_state: stateSql(ownPlanFacts),
    open_plan_state: stateSql(openPlanFacts),
    over: OVER,
    may_be_open: MAY_BE_OPEN,
    state_words: arrayLiteral(STATE_WORDS.keys()),
    word_states: arrayLiteral(STATE_WORDS.values()),
    listed_steps: fragment('listed_steps'),
    is_latest_run: fragment('is_latest_run'),
    resumed_plans: fragment('resumed_plans'),
    ended_rows: endedRows(engine),
    told_reviews: fragment('told_reviews'),
  }
  const filled = (name: string, more = {}) => fillSql(fragment(name), { ...rules, ...more })
  const traces = { resumed_traces: filled('resumed_traces') }
  const around = {
    imports: "SELECT TraceId FROM ${database}.plan_states WHERE Dialect != ''",
    waitingSpans: filled('waiting_spans', { in_waiting_traces: inTraces(engine, filled('waiting_traces')) }),
  }
  const roles = Object.fromEntries(
    ROLES.flatMap((role) => {
      const spans = fillSql(spansOf(role), traces)
      return [
        [role, spans],
        [`open_${role}`, filled('open_spans', { spans, state: stateSql(openFacts(role, around)) })],
        [`${role}_rows`, lastRows(engine, role)],
        [`all_${role}_rows`, allRows(role)],
      ]
    }),
  )
  const candidates = querySql('traces', { database: '${database}', where: fragment('superseded_candidates') })
  const parts = {
    ...rules,
    ...traces,
    ...roles,
    plan_lists: fillSql(spansOf('plan', ['Steps', 'StepsJson']), traces),
    known_steps: filled('known_steps'),
    unheard_plans: filled('unheard_plans'),
    superseded: generationsSql(candidates, 'superseded'),
  }
  return {
    ...parts,
    continued_agents: fillSql(fragment('continued_agents'), parts),
    standing_plans: fillSql(fragment('standing_plans'), parts),
  }
}

const fragment = (name: string): string => readSql(`fragments/${name}.sql`).trimEnd()

const arrayLiteral = (texts: Iterable<string>): string => `[${[...texts].map((text) => `'${text}'`).join(', ')}]`
