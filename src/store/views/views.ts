import { createHash } from 'node:crypto'

import { ATTR, type Role } from '../../semconv/index.js'
import { fillSql, readSql, literal } from '../client/sql-file.js'
import { SPAN_COLUMNS } from '../schema/tables.js'
import { callRows, ONCE, selected, type SpanEngine } from './call-rows.js'
import { withClause, type ViewColumn } from './column.js'
import { MODEL_CALL, PLAN, PLAN_USAGE, REVIEW, RISK, STEP, WAIT } from './extra-columns.js'
import { column, roleColumns } from './role-columns.js'

const join = (model: string, name: string): string =>
  `ANY LEFT JOIN (\n${readSql('queries/prices.sql')}) AS ${name} ON ${model} = ${name}.model`

const PRICES = [join('span.Model', 'requested'), join('span.ResponseModel', 'responding')].join('\n')

/** Returns all views over a span table. */
export function readViews(engine: SpanEngine = 'replacing'): View[] {
  const view = (name: string, comment: string, columns: readonly ViewColumn[], parts: Record<string, string> = {}) => {
    const { file = name, ...values } = parts
    const list = columns.map(({ name: alias, expression }) => selected(expression, alias)).join(',\n  ')
    const sql = fillSql(readSql(`views/${file}.sql`), { columns: list, ...ONCE[engine], ...values })
    return { name, comment, columns, sql: withoutEmptyLines(`${withClause(columns)}${sql}`) }
  }
  const rows = (name: string, comment: string, columns: readonly ViewColumn[], table: string, where = '') =>
    view(name, comment, columns, { file: 'rows', table, where: where && `WHERE ${where}` })
  const plans = (name: string, comment: string, columns: readonly ViewColumn[]) =>
    rows(name, comment, columns, 'plan_rows', 'NOT span.Superseded AND span.Listed != 1')
  const calls = (
    role: Role,
    name: string,
    comment: string,
    columns: readonly ViewColumn[],
    { having, prices = '' }: { having?: readonly string[]; prices?: string } = {},
  ) => view(name, comment, columns, { file: 'calls', calls: callRows(role, { engine, columns, having }), prices })
  const tool = roleColumns('tool')
  return [
    view(
      'spans',
      'A row is a span that has ended, in the columns of otel_traces. Snapshots are omitted.',
      Object.entries(SPAN_COLUMNS).map(([name, type]) => column(name, type, '')),
    ),
    view('spans_trace_id_ts', 'A row is a trace, with the starts of its first and its last span.', [
      column('TraceId', 'String', 'The trace, 32 hex digits.'),
      column('Start', 'DateTime', 'The start of its first span.', 'toDateTime(min(span.Start))'),
      column('End', 'DateTime', 'The start of its last span.', 'toDateTime(max(span.End))'),
    ]),
    plans('plans', 'A row is a plan or a sub-plan.', [...roleColumns('plan'), ...PLAN]),
    plans('plan_usage', 'A row is a plan or a sub-plan, with its tokens, their cost, and its budget.', PLAN_USAGE),
    rows('steps', 'A row is a step of a plan.', STEP, 'step_rows'),
    rows(
      'plannings',
      'A row is a planning, with its planner and the resulting steps.',
      roleColumns('planning'),
      'span_rows',
      `span.Role = 'planning'`,
    ),
    rows('agents', 'A row is an agent that works on a step.', roleColumns('agent'), 'span_rows', `span.Role = 'agent'`),
    calls('think_act', 'think_acts', 'A row is a think-act cycle.', roleColumns('think_act')),
    calls('tool', 'tool_calls', 'A row is a tool call.', tool),
    calls(
      'llm',
      'model_calls',
      'A row is a model call with its tokens and their cost.',
      [...roleColumns('llm'), ...MODEL_CALL],
      { prices: PRICES },
    ),
    rows(
      'risks',
      'A row is a risk assessment. An assessment that a cycle repeats counts once.',
      [...roleColumns('guardrail'), ...RISK],
      'span_rows',
      `span.Role = 'guardrail' AND span.IsJudgement`,
    ),
    calls('tool', 'research_calls', 'A row is a search of a researcher.', searchColumns(tool), { having: SEARCH_KEYS }),
    rows('reviews', 'A row is a decision on a plan.', REVIEW, 'review_rows'),
    rows(
      'waits',
      'A row is a wait for a person.',
      [...roleColumns('wait'), ...WAIT],
      'span_rows',
      `span.Role = 'wait'`,
    ),
  ]
}

/** The columns of a tool call for a search, whose arguments are its query. */
const searchColumns = (tool: readonly ViewColumn[]): ViewColumn[] => [
  ...tool.filter(({ name }) => name !== 'Arguments'),
  ...tool
    .filter(({ name }) => name === 'Arguments')
    .map(({ type, expression }) => column('Query', type, 'The search query [gen_ai.tool.call.arguments]', expression)),
]

/** The attributes of a search. */
const SEARCH_KEYS = [
  ATTR.searchNoteCount,
  ATTR.searchResultCount,
  ATTR.searchAppliedMaxResults,
  ATTR.searchAppliedMaxNotes,
  ATTR.searchDurationSeconds,
  ATTR.searchDegradationMode,
]

const withoutEmptyLines = (sql: string): string =>
  sql
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')

/** The end of a view's comment: marks planspan's views and identifies the definition. */
export const definitionMark = (view: View): string => {
  const definition = [columnList(view), view.comment, ...select(view)].join('\n')
  return `[planspan ${createHash('sha256').update(definition).digest('hex').slice(0, 12)}]`
}

/** The statement that creates or replaces a view; `on` is an ON CLUSTER clause. */
export function viewDdl(view: View, { database, on = '' }: { database: string; on?: string }): string {
  return [
    `CREATE OR REPLACE VIEW ${database}.${view.name}${on}${columnList(view)} AS`,
    ...select(view).map((line) => fillSql(line, { database })),
    `COMMENT ${literal(`${view.comment} ${definitionMark(view)}`)}`,
  ].join('\n')
}

/** The columns with their meanings; empty for a view whose columns are those of its table, which explain themselves. */
function columnList({ columns }: View): string {
  if (columns.every(({ comment }) => comment === '')) return ''
  const list = columns.map(({ name, type, comment }) => `  ${name} ${type} COMMENT ${literal(comment)}`)
  return ` (\n${list.join(',\n')}\n)`
}

const select = ({ sql }: View): string[] => [
  sql,
  // Without the first setting ClickHouse reads a span's attributes again for each requested key, without the second it
  // compares rows of different days or weeks.
  'SETTINGS optimize_functions_to_subcolumns = 0, do_not_merge_across_partitions_select_final = 1',
]

/** A view for people and dashboards. */
export interface View {
  readonly name: string
  /** Describes a row. */
  readonly comment: string
  readonly columns: readonly ViewColumn[]
  /** A SELECT of these columns in this order, with `${database}` left open. */
  readonly sql: string
}
