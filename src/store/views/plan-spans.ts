import type { FieldColumn } from './column.js'
import { PLAN, select, severalRows, severalSpans, singleSpan } from './span-selects.js'
import { allRows, lastRows, type SpanEngine } from './span-rows.js'
import { spanFacts, stateSql } from './state-sql.js'

/** Whether a plan's rows are looked for one and all. */
const IS_SCATTERED = '(span.TraceId, span.PlanId) GLOBAL IN (${scattered_plans})'

/** The rows of plans, as `span`, for FROM: first segments found by their time, what later ones tell, and the rest. */
export const planRows = (engine: SpanEngine) => ({
  first: `${lastRows(engine, 'plan')}\nWHERE ifNull(span.Segment, 0) <= 0 AND NOT ${IS_SCATTERED}`,
  later: lastRows('replacing', 'plan', 'joined_rows'),
  scattered: `${allRows('plain', 'plan')} AND ${IS_SCATTERED}`,
})

/**
 * A plan is the span of its first segment, found by its time, and what its few later segments tell. Where that is not
 * one span, as of a sub-plan that ran again in a later segment, all its rows are looked for.
 */
export function planSpans(engine: SpanEngine, fields: readonly FieldColumn[]): string {
  const rows = planRows(engine)
  const several = severalSpans('plan', fields)
  const first = select([...singleSpan('plan', fields), 'if(IsTimed, EndNanoseconds, 0) AS TimedUntil'])
  const told = fields.filter((field) => !isNullable(field)).map(({ name, told }) => `max(${told}) AS ${name}Told`)
  const ofLater = [...several, ...told, 'maxIf(EndNanoseconds, IsTimed) AS TimedUntil', 'true AS IsLater']
  return [
    `SELECT\n  ${withLater(fields).join(',\n  ')}`,
    `FROM (\n${first}\nFROM ${rows.first}\n) AS first`,
    `LEFT JOIN (\n${severalRows(PLAN, ofLater, `FROM ${rows.later}`)}\n) AS later`,
    'ON later.TraceId = first.TraceId AND later.PlanId = first.PlanId',
    'UNION ALL',
    severalRows(PLAN, several, `FROM ${rows.scattered}`),
  ].join('\n')
}

const isNullable = ({ type }: FieldColumn): boolean => type.startsWith('Nullable')

/** The columns of a plan's first segment, `first`, and of what its later ones tell, `later`. */
function withLater(fields: readonly FieldColumn[]): string[] {
  const last = (name: string): string => `if(later.IsLater, later.${name}, first.${name}) AS ${name}`
  const greatest = (name: string): string => `greatest(first.${name}, later.${name}) AS ${name}`
  return [
    'first.Timestamp AS Timestamp',
    'first.TraceId AS TraceId',
    ...['SpanId', 'ParentSpanId', 'ServiceName'].map(last),
    'first.PlanId AS PlanId',
    ...['RootPlanId', 'ConversationId', 'Told', 'Ended'].map(last),
    `${stateSql(spanFacts('plan'))} AS State`,
    'if(Ended AND (greatest(first.TimedUntil, later.TimedUntil) AS Until) > 0, ' +
      'Until - toUnixTimestamp64Nano(first.Timestamp), NULL) / 1000000 AS DurationMs',
    ...fields.map((field) => {
      const { name } = field
      const value = isNullable(field)
        ? `coalesce(later.${name}, first.${name})`
        : `if(later.${name}Told, later.${name}, first.${name})`
      return `${value} AS ${name}`
    }),
    greatest('Dialect'),
    greatest('Source'),
    'first.IsOnlyRow OR later.IsLater AS IsOnlyRow',
    `'' AS Convention`,
    greatest('LastNanoseconds'),
  ]
}
