import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { fieldType, longToWide, toFrame } from '../../dashboards/query/frame.js'
import { expandMacros } from '../../dashboards/query/macros.js'
import { expandQuery } from '../../dashboards/query/run-query.js'
import { durationMs, intervalMs, resolveTimeRange } from '../../dashboards/query/time-range.js'
import { applyConditionalAll, interpolateVariables, type VariableValue } from '../../dashboards/query/variables.js'

const range = { from: new Date('2026-03-01T00:00:00.500Z'), to: new Date('2026-03-02T00:00:00.000Z') }
const context = { range, intervalMs: 90_000 }

const all: VariableValue = { name: 'service', value: ['$__all'], options: ['a', "b'c"] }
const some: VariableValue = { name: 'agent', value: ['x', 'y'], options: ['x', 'y', 'z'] }
const one: VariableValue = { name: 'plan', value: "it's", options: [] }
const none: VariableValue = { name: 'search', value: '', options: [] }

describe('macros expand as the plugin expands them', () => {
  test.each([
    ['$__timeFilter(t.Timestamp)', 't.Timestamp >= toDateTime(1772323200) AND t.Timestamp <= toDateTime(1772409600)'],
    [
      '$__timeFilter_ms(T)',
      'T >= fromUnixTimestamp64Milli(1772323200500) AND T <= fromUnixTimestamp64Milli(1772409600000)',
    ],
    ['$__dateFilter(D)', "D >= toDate('2026-03-01') AND D <= toDate('2026-03-02')"],
    ['$__fromTime, $__toTime', 'toDateTime(1772323200), toDateTime(1772409600)'],
    ['$__fromTime_ms', 'fromUnixTimestamp64Milli(1772323200500)'],
    ['$__timeInterval(a(b, c)) AS x', 'toStartOfInterval(toDateTime(a(b, c)), INTERVAL 90 second) AS x'],
    ['$__timeInterval(coalesce(b))', 'toStartOfInterval(toDateTime(coalesce(b)), INTERVAL 90 second)'],
    ['$__timeInterval_ms(T)', 'toStartOfInterval(toDateTime64(T, 3), INTERVAL 90000 millisecond)'],
    ['count() / $__interval_s', 'count() / 90'],
  ])('%s', (sql, expected) => {
    expect(expandMacros(sql, context)).toBe(expected)
  })

  test('a macro unknown to the plugin is rejected, with a list of the known ones', () => {
    expect(() => expandMacros('SELECT $__timeSlice(T)', context)).toThrow(/\$__timeSlice\. Known: \$__timeFilter, /)
  })

  test('a macro with the wrong number of arguments is rejected', () => {
    expect(() => expandMacros('$__timeFilter(a, b)', context)).toThrow('$__timeFilter takes 1 argument(s), not 2')
  })

  test('text without a macro is unchanged', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('$__')),
        (text) => {
          expect(expandMacros(text, context)).toBe(text)
        },
      ),
    )
  })
})

describe('variables are replaced by their values as in Grafana', () => {
  test.each([
    ['IN (${service:sqlstring})', "IN ('a','b''c')"],
    ['IN (${service:singlequote})', String.raw`IN ('a','b\'c')`],
    ['IN ($agent)', "IN ('x','y')"],
    ['${agent:raw}', 'x,y'],
    ['= ${plan:sqlstring}', "= 'it''s'"],
    ["= '$plan'", "= 'it's'"],
    ['$unknown ${unknown:raw} $__interval_s', '$unknown ${unknown:raw} $__interval_s'],
  ])('%s', (sql, expected) => {
    expect(interpolateVariables(sql, [all, some, one])).toBe(expected)
  })

  test('a condition counts only when its variable filters', () => {
    const sql = '$__conditionalAll(a IN (f($agent)), $agent) AND $__conditionalAll(b IN ($service), $service)'
    expect(applyConditionalAll(sql, [all, some])).toBe('a IN (f($agent)) AND 1=1')
    expect(applyConditionalAll("$__conditionalAll(x = '$search', $search)", [none])).toBe('1=1')
  })

  test('a condition on no variable of the dashboard is rejected', () => {
    expect(() => applyConditionalAll('$__conditionalAll(a, $nope)', [all])).toThrow(/\$nope, which is no variable/)
  })

  test('values of variables are quoted before macros are expanded', () => {
    expect(
      expandQuery('$__timeFilter(T) AND $__conditionalAll(S IN (${agent:sqlstring}), $agent)', [some], context),
    ).toBe("T >= toDateTime(1772323200) AND T <= toDateTime(1772409600) AND S IN ('x','y')")
  })
})

describe('time ranges and intervals match Grafana’s', () => {
  const now = new Date('2026-03-08T12:00:00Z')

  test.each([
    ['now-7d', 30, '1s', 21_600_000],
    ['now-30d', 30, '1s', 86_400_000],
    ['now-1h', 600, '1s', 5000],
    ['now-15m', 1000, '1m', 60_000],
    ['now-52w', 1, '1s', 31_536_000_000],
  ])('%s in %i points, at least %s', (from, points, least, expected) => {
    expect(intervalMs(resolveTimeRange({ from, to: 'now' }, now), points, least)).toBe(expected)
  })

  test('an absolute time or an unknown unit is rejected', () => {
    expect(() => resolveTimeRange({ from: '2026-01-01', to: 'now' }, now)).toThrow(/Not a relative time/)
    expect(() => durationMs('3 weeks')).toThrow(/Not a duration/)
  })
})

describe('results become frames as in the plugin', () => {
  test.each([
    ['DateTime64(9)', 'time'],
    ["Nullable(DateTime('UTC'))", 'time'],
    ['Nullable(Int64)', 'number'],
    ['SimpleAggregateFunction(max, UInt8)', 'number'],
    ['Decimal(18, 4)', 'number'],
    ['LowCardinality(Nullable(String))', 'string'],
    ["Enum8('a' = 1)", 'string'],
    ['Nullable(Bool)', 'boolean'],
    ['Array(String)', 'other'],
    ['Map(String, String)', 'other'],
  ])('%s', (columnType, expected) => {
    expect(fieldType(columnType)).toBe(expected)
  })

  test('a text column becomes labels, and a series has null in rows where it is missing', () => {
    const frame = toFrame('A', {
      meta: [
        { name: 'Time', type: 'DateTime' },
        { name: 'State', type: 'String' },
        { name: 'Value', type: 'UInt64' },
      ],
      data: [
        ['2026-03-01 00:00:00', 'failed', '2'],
        ['2026-03-01 00:00:00', 'completed', '5'],
        ['2026-03-02 00:00:00', 'completed', '7'],
      ],
    })
    expect(longToWide(frame).fields).toMatchObject([
      { name: 'Time', values: [Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 2)] },
      { name: 'Value', labels: { State: 'completed' }, values: [5, 7] },
      { name: 'Value', labels: { State: 'failed' }, values: [2, null] },
    ])
  })
})
