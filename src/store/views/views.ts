import { ROLES, type Role } from '../../semconv/index.js'
import { fillSql, readSql } from '../sql-file.js'
import type { ViewColumn } from './column.js'
import * as extra from './extra-columns.js'
import { viewFragments } from './fragments.js'
import { roleSpans, type RoleSpans } from './role-spans.js'
import { SPAN_COLUMNS } from '../columns.js'
import type { View } from './view.js'

/** All views, each after those it reads. */
export function readViews(): View[] {
  const roles = Object.fromEntries(ROLES.map((role) => [role, roleSpans(role)])) as Record<Role, RoleSpans>
  const fragments = viewFragments()
  const view = (name: string, comment: string, columns: readonly ViewColumn[]): View => ({
    name,
    comment,
    columns,
    sql: fillSql(readSql(`views/${name}.sql`), fragments),
  })
  const without = (columns: readonly ViewColumn[], ...names: string[]) =>
    columns.filter(({ name }) => !names.includes(name))
  return [
    view(
      'superseded_traces',
      'A row an imported trace that a later generation of its record has superseded; no view but spans shows it.',
      extra.TRACE,
    ),
    view(
      'spans',
      'A row a span that has ended, once each, in the columns of otel_traces; no snapshots.',
      Object.entries(SPAN_COLUMNS).map(([name, type]) => ({ name, type, comment: '' })),
    ),
    view('plan_standings', 'A row a plan or sub-plan: where it stands now.', extra.PLAN_STANDING),
    view('spans_trace_id_ts', 'A row a trace: when its spans begin.', extra.TRACE_WINDOW),
    view('agents', 'A row an agent at work on a step.', roles.agent.columns),
    view('think_acts', 'A row a think-act cycle.', roles.think_act.columns),
    view('tool_calls', 'A row a tool call.', roles.tool.columns),
    view('model_calls', 'A row a model call, with its tokens and what they cost.', [
      ...roles.llm.columns,
      ...extra.MODEL_CALL,
    ]),
    view('risks', 'A row a risk assessment; what a cycle repeats counts once.', [
      ...roles.guardrail.columns,
      ...extra.RISK,
    ]),
    view('research_calls', 'A row a search of a researcher.', [
      ...without(roles.tool.columns, 'Arguments'),
      ...extra.RESEARCH_CALL,
    ]),
    view('waits', 'A row a wait for a person.', [...roles.wait.columns, ...extra.WAIT]),
    view('reviews', 'A row a decision on a plan.', extra.REVIEW),
    view('steps', 'A row a step of a plan.', extra.STEP),
    view('plans', 'A row a plan or sub-plan.', [...roles.plan.columns, ...extra.PLAN]),
    view('plan_usage', 'A row a plan or sub-plan: its tokens and what they cost, beside its budget.', extra.PLAN_USAGE),
  ]
}
