import { STATE_WORDS } from '../../mapping/index.js'
import { type Role, ROLES } from '../../semconv/index.js'
import { foreignPlans, IS_LISTED } from '../foreign/plan-rows.js'
import { foreignSpans, isForeignRole } from '../foreign/role-branch.js'
import { generationsSql, tracesSql } from '../generations.js'
import { COST_PARTS } from '../plan-figures.js'
import { fillSql, readSql } from '../sql-file.js'
import { planRows } from './plan-spans.js'
import { rowColumns } from './role-columns.js'
import { roleSpans, type RoleSpansOptions } from './role-spans.js'
import { PLAN } from './span-selects.js'
import { joinedRows, endedRows, inTraces, type SpanEngine } from './span-rows.js'
import { MAY_BE_OPEN, openFacts, openPlanFacts, OVER, ownPlanFacts, stateSql, toldSql } from './state-sql.js'

/**
 * The SQL that stands for `${name}` in the files of the views: the spans of each role (`${tool}`), the same with the
 * states of what is open worked out (`${open_tool}`), all rows of the role for a join (`${joined_tool_rows}`), and what
 * several views share. `${database}` is left open.
 */
export function viewFragments(engine: SpanEngine): Readonly<Record<string, string>> {
  const spansOf = (role: Role, options: Omit<RoleSpansOptions, 'engine'> = {}) =>
    roleSpans(role, { engine, ...options }).sql
  const rules = {
    wait_told: toldSql('wait'),
    own_plan_state: stateSql(ownPlanFacts),
    open_plan_state: stateSql(openPlanFacts),
    over: OVER,
    open_traces: fillSql(fragment('open_traces'), { may_be_open: MAY_BE_OPEN }),
    state_words: arrayLiteral(STATE_WORDS.keys()),
    word_states: arrayLiteral(STATE_WORDS.values()),
    listed_steps: fragment('listed_steps'),
    is_latest_run: fragment('is_latest_run'),
    resumed_plans: fillSql(fragment('resumed_plans'), { plan_recency: PLAN.recency }),
    ended_rows: endedRows(engine),
    told_reviews: fragment('told_reviews'),
    ...COST_PARTS,
  }
  const filled = (name: string, more = {}) => fillSql(fragment(name), { ...rules, ...more })
  const resumed = { resumed_traces: filled('resumed_traces') }
  const traces = { ...resumed, scattered_plans: filled('scattered_plans', resumed) }
  const plans = planRows(engine)
  const around = {
    imports: "SELECT TraceId FROM ${database}.plan_states WHERE Dialect != ''",
    waitingSpans: filled('waiting_spans', { in_waiting_traces: inTraces(engine, filled('waiting_traces')) }),
  }
  const opened = (role: Role, spans: string) =>
    filled('open_spans', { spans, state: stateSql(openFacts(role, around)) })
  const roles = Object.fromEntries(
    ROLES.flatMap((role) => {
      const spans = fillSql(spansOf(role), traces)
      return [
        [role, spans],
        [`open_${role}`, opened(role, spans)],
        [`joined_${role}_rows`, joinedRows(engine, role, 'all')],
        ...(isForeignRole(role) ? [[`foreign_${role}`, foreignSpans(role, rowColumns(role))]] : []),
      ]
    }),
  )
  const candidates = tracesSql('${database}', fragment('superseded_candidates'))
  const parts = {
    ...rules,
    ...traces,
    ...roles,
    plan_lists: fillSql(spansOf('plan', { only: ['Steps', 'StepsJson'] }), traces),
    known_steps: filled('known_steps'),
    step_figures: filled('step_figures'),
    unheard_plans: filled('unheard_plans'),
    first_plan_rows: fillSql(plans.first, traces),
    later_plan_rows: plans.later,
    scattered_plan_rows: fillSql(plans.scattered, traces),
    resumed_starts: filled('resumed_starts', resumed),
    foreign_plan: foreignPlans(rowColumns('plan'), foreignTraces('true', IS_LISTED)),
    superseded: generationsSql(candidates, 'superseded'),
  }
  const continued = { continued_agents: fillSql(fragment('continued_agents'), parts) }
  const agents = (open: string, foreign: string) =>
    filled('standing_agents', { ...continued, open_agents: open, foreign_agents: foreign })
  const priced = (calls: string) => fillSql(fragment('priced_calls'), { ...rules, calls_and_guardrails: calls })
  const guardrails = `(SELECT span.TraceId AS GuardrailTrace, span.SpanId AS Guardrail FROM ${joinedRows(engine, 'guardrail', 'all')}) AS guardrail`
  const joined = (role: 'agent' | 'llm', only: readonly string[]) =>
    [spansOf(role, { only, isJoined: true }), foreignSpans(role, rowColumns(role, only))] as const
  const [workers, foreignWorkers] = joined('agent', STEP_FIELDS)
  const unite = (spans: readonly (string | undefined)[]) => `(${spans.join('\nUNION ALL\n')}) AS call`
  return {
    ...parts,
    standing_plans: fillSql(fragment('standing_plans'), parts),
    standing_agents: agents(roles['open_agent'] ?? '', roles['foreign_agent'] ?? ''),
    joined_agents: agents(opened('agent', workers), foreignWorkers),
    // From the right, so that of guardrails are read those of the calls that are asked for. Where a join asks for calls
    // by trace, ClickHouse asks for their guardrails by the same traces.
    priced_calls: priced(`${guardrails} ANY RIGHT JOIN ${unite([roles['llm'], roles['foreign_llm']])}`),
    joined_calls: priced(`${unite(joined('llm', USAGE_FIELDS))} ANY LEFT JOIN ${guardrails}`),
  }
}

/** What steps tell of their agents, and plans of what their model calls used. */
const STEP_FIELDS = ['StepIndex', 'StepId', 'StepDescription', 'AgentName', 'ErrorMessage']
const USAGE_FIELDS = [
  'Model',
  'ResponseModel',
  'UsageSource',
  'StatedTotalTokens',
  'InputTokens',
  'OutputTokens',
  'CacheReadTokens',
  'CacheWriteTokens',
  'ReasoningTokens',
]

/** A query for traces of other instrumentations, `among` rows of `foreign_plans`; `holds` says which are plans. */
export const foreignTraces = (among: string, holds: string): string =>
  fillSql(fragment('foreign_plans'), { foreign_among: among, foreign_holds: holds })

const fragment = (name: string): string => readSql(`fragments/${name}.sql`).trimEnd()

const arrayLiteral = (texts: Iterable<string>): string => `[${[...texts].map((text) => `'${text}'`).join(', ')}]`
