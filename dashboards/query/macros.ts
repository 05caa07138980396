import type { TimeRange } from './time-range.js'
import { splitArguments } from './variables.js'

/** The inputs of a query's macros. */
export interface MacroContext {
  readonly range: TimeRange
  readonly intervalMs: number
}

type Macro = (context: MacroContext, args: readonly string[]) => string

const seconds = (time: Date) => `toDateTime(${Math.floor(time.getTime() / 1000)})`
const millis = (time: Date) => `fromUnixTimestamp64Milli(${time.getTime()})`
const date = (time: Date) => `toDate('${time.toISOString().slice(0, 10)}')`
const wholeSeconds = ({ intervalMs }: MacroContext) => Math.max(Math.floor(intervalMs / 1000), 1)

const between =
  (write: (time: Date) => string): Macro =>
  ({ range }, [column]) =>
    `${column} >= ${write(range.from)} AND ${column} <= ${write(range.to)}`

/**
 * The macros of Grafana's ClickHouse plugin 4.x that expand to an expression, with the SQL of its backend
 * (github.com/grafana/clickhouse-datasource, pkg/macros). Macros that rewrite a whole statement are not included.
 */
const MACROS: Readonly<Record<string, { readonly arity: number; readonly expand: Macro }>> = {
  timeFilter: { arity: 1, expand: between(seconds) },
  timeFilter_ms: { arity: 1, expand: between(millis) },
  dateFilter: { arity: 1, expand: between(date) },
  fromTime: { arity: 0, expand: ({ range }) => seconds(range.from) },
  toTime: { arity: 0, expand: ({ range }) => seconds(range.to) },
  fromTime_ms: { arity: 0, expand: ({ range }) => millis(range.from) },
  toTime_ms: { arity: 0, expand: ({ range }) => millis(range.to) },
  timeInterval: {
    arity: 1,
    expand: (context, [column]) => `toStartOfInterval(toDateTime(${column}), INTERVAL ${wholeSeconds(context)} second)`,
  },
  timeInterval_ms: {
    arity: 1,
    expand: ({ intervalMs }, [column]) =>
      `toStartOfInterval(toDateTime64(${column}, 3), INTERVAL ${Math.max(Math.floor(intervalMs), 1)} millisecond)`,
  },
  interval_s: { arity: 0, expand: (context) => `${wholeSeconds(context)}` },
}

const NAME = /\$__(\w+)/g

/**
 * Expands the plugin's macros. Throws for unknown macros and for wrong numbers of arguments.
 */
export function expandMacros(sql: string, context: MacroContext): string {
  let expanded = ''
  let from = 0
  for (const match of sql.matchAll(NAME)) {
    const macro = MACROS[match[1] ?? '']
    if (!macro) throw new Error(`No macro of Grafana's ClickHouse plugin: ${match[0]}. Known: ${known()}.`)
    const behind = match.index + match[0].length
    const call = sql[behind] === '(' ? splitArguments(sql, behind + 1) : { args: [], end: behind - 1 }
    const args = call.args.map((arg) => arg.trim()).filter((arg) => arg !== '')
    if (args.length !== macro.arity) {
      throw new Error(`${match[0]} takes ${macro.arity} argument(s), not ${args.length}: ${sql}`)
    }
    expanded += sql.slice(from, match.index) + macro.expand(context, args)
    from = call.end + 1
  }
  return expanded + sql.slice(from)
}

function known(): string {
  return Object.keys(MACROS)
    .map((name) => `$__${name}`)
    .join(', ')
}
