import { describe, expect, it } from 'vitest'

import { UNTRACED } from '../../src/store/erase/erase-traces.js'
import { keptTables, layOut, lookupsOf, madeBy, type Layout } from '../../src/store/layout.js'
import { readMigrations } from '../../src/store/migrations.js'

const database = 'otel'
const one: Layout = { database }
const hosts: Layout = { database, cluster: { name: 'c', isReplicated: false } }
const replicas: Layout = { database, cluster: { name: 'c', isReplicated: true } }

const engines = (layout: Layout) =>
  layOut(readMigrations(), layout).flatMap((sql) => {
    const [, table = '', engine = ''] = /TABLE IF NOT EXISTS \$\{database\}\.(\w+)[^]*ENGINE = ([^\n]+)/.exec(sql) ?? []
    return table === '' ? [] : [[table, engine] as const]
  })

describe('the layout of tables', () => {
  it.each([
    ['one server', one, 'otel_traces', 'ReplacingMergeTree(Recency)'],
    ['a host', hosts, 'otel_traces_local', 'ReplacingMergeTree(Recency)'],
    ['a host', hosts, 'otel_traces', "Distributed('c', '${database}', 'otel_traces_local', cityHash64(TraceId))"],
    ['a host', hosts, 'plan_keys_local', 'AggregatingMergeTree'],
    [
      'a replica',
      replicas,
      'otel_traces_local',
      "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', Recency)",
    ],
  ])('on %s, by %j, has %s as it should', (_where, layout, table, engine) => {
    expect(new Map(engines(layout)).get(table)).toBe(engine)
  })

  it('lets a lookup share a path with replicas of its own form alone, since it is made anew', () => {
    const paths = new Map(engines(replicas))
    for (const migration of readMigrations()) {
      for (const { table } of lookupsOf(migration)) {
        expect(paths.get(`${table}_local`)).toContain(`/{table}-${migration.madeBy.slice(0, 12)}'`)
      }
    }
  })

  it('knows a lookup by the views that fill it from spans', () => {
    expect(readMigrations().flatMap(lookupsOf)).toEqual([
      { table: 'otel_traces_trace_id_ts', views: ['otel_traces_trace_id_ts_mv'] },
      { table: 'plan_keys', views: ['plan_keys_mv'] },
      { table: 'plan_states', views: ['plan_states_mv', 'plan_progress_mv'] },
      { table: 'service_operations', views: ['service_operations_mv'] },
      { table: 'foreign_spans', views: ['foreign_spans_mv'] },
      { table: 'foreign_plans', views: ['foreign_plans_mv'] },
      { table: 'joined_rows', views: ['joined_rows_mv'] },
      { table: 'plan_contents', views: ['plan_contents_mv', 'foreign_contents_mv'] },
    ])
  })

  it('has no table whose rows an erasure would leave: each is of a trace, or known to be of none', () => {
    const kept = keptTables(readMigrations())
    expect(kept.filter(({ isOfTraces }) => !isOfTraces).map(({ table }) => table)).toEqual(UNTRACED)
    const keepsNothing = /_mv$|^otlp_(?:json|protobuf)$/
    const made = madeBy(readMigrations(), one).filter((name) => !keepsNothing.test(name))
    expect(kept.map(({ table }) => table)).toEqual(made)
  })
})
