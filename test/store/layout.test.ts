import { describe, expect, it } from 'vitest'

import { UNTRACED } from '../../src/store/erase/erase-traces.js'
import { keptTables, layOut, madeBy, type Layout } from '../../src/store/schema/layout.js'
import { readMigrations } from '../../src/store/schema/migrations.js'

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
    [
      'a host',
      hosts,
      'otel_logs',
      "Distributed('c', '${database}', 'otel_logs_local', if(TraceId = '', rand(), cityHash64(TraceId)))",
    ],
    ['a host', hosts, 'plan_keys_local', 'AggregatingMergeTree'],
    ['a host', hosts, 'planspan_migrations', 'MergeTree'],
    [
      'a replica',
      replicas,
      'otel_traces_local',
      "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', Recency)",
    ],
  ])('on %s, by %j, gives %s its engine', (_where, layout, table, engine) => {
    expect(new Map(engines(layout)).get(table)).toBe(engine)
  })

  it('has a trace in every table that stores data of traces, so that an erasure leaves no rows', () => {
    const kept = keptTables(readMigrations())
    expect(kept.filter(({ isOfTraces }) => !isOfTraces).map(({ table }) => table)).toEqual(UNTRACED)
    const keepsNothing = /_mv$|^otlp_(?:logs_)?(?:json|protobuf)$/
    const made = madeBy(readMigrations(), one).filter((name) => !keepsNothing.test(name))
    expect(kept.map(({ table }) => table)).toEqual(made)
  })
})
