import { PlanspanError } from '../../error.js'
import { ROLES, type Role } from '../../semconv/index.js'
import { fillSql, readSql } from '../sql-file.js'
import type { ViewColumn } from './column.js'
import * as extra from './extra-columns.js'
import { viewFragments } from './fragments.js'
import { roleSpans, type RoleSpans } from './role-spans.js'
import { SPAN_COLUMNS } from '../columns.js'
import type { SpanEngine } from './span-rows.js'
import type { View } from './view.js'

/** A view's SELECT, with `${database}` left open. */
export function viewSql(name: string, engine: SpanEngine): string {
  const view = readViews(engine).find((one) => one.name === name)
  if (!view) throw new PlanspanError('usage', `There is no view ${name}.`)
  return view.sql
}

/** All views over a span table, each after those it reads. */
export function readViews(engine: SpanEngine = 'replacing'): View[] {
  const roles = Object.fromEntries(ROLES.map((role) => [role, roleSpans(role, { engine })])) as Record<Role, RoleSpans>
  const fragments = viewFragments(engine)
  const view =
    (isDeciding: boolean) =>
    (name: string, comment: string, columns: readonly ViewColumn[]): View => ({
      name,
      comment,
      columns,
      isDeciding,
      sql: fillSql(readSql(`views/${name}.sql`), fragments),
    })
  const whole = view(false)
  const deciding = view(true)
  const without = (columns: readonly ViewColumn[], ...names: string[]) =>
    columns.filter(({ name }) => !names.includes(name))
  return [
    whole(
      'superseded_traces',
      'A row an imported trace that a later generation of its record has superseded; no view but spans shows it.',
      extra.TRACE,
    ),
    whole(
      'spans',
      'A row a span that has ended, once each, in the columns of otel_traces; no snapshots.',
      Object.entries(SPAN_COLUMNS).map(([name, type]) => ({ name, type, comment: '' })),
    ),
    whole(
      'open_plans',
      'A row a plan or sub-plan of a live trace in which one is not over: where it stands now.',
      extra.OPEN_PLAN,
    ),
    whole('spans_trace_id_ts', 'A row a trace: when its spans begin.', extra.TRACE_WINDOW),
    deciding('plannings', 'A row a planning: who planned, and the steps that came of it.', roles.planning.columns),
    deciding('agents', 'A row an agent at work on a step.', roles.agent.columns),
    deciding('think_acts', 'A row a think-act cycle.', roles.think_act.columns),
    deciding('tool_calls', 'A row a tool call.', roles.tool.columns),
    deciding('model_calls', 'A row a model call, with its tokens and what they cost.', [
      ...roles.llm.columns,
      ...extra.MODEL_CALL,
    ]),
    deciding('risks', 'A row a risk assessment; what a cycle repeats counts once.', [
      ...roles.guardrail.columns,
      ...extra.RISK,
    ]),
    deciding('research_calls', 'A row a search of a researcher.', [
      ...without(roles.tool.columns, 'Arguments'),
      ...extra.RESEARCH_CALL,
    ]),
    deciding('waits', 'A row a wait for a person.', [...roles.wait.columns, ...extra.WAIT]),
    deciding('reviews', 'A row a decision on a plan.', extra.REVIEW),
    deciding('steps', 'A row a step of a plan.', extra.STEP),
    deciding('plans', 'A row a plan or sub-plan.', [...roles.plan.columns, ...extra.PLAN]),
    deciding(
      'plan_usage',
      'A row a plan or sub-plan: its tokens and what they cost, beside its budget.',
      extra.PLAN_USAGE,
    ),
  ]
}
