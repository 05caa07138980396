import { describe, expect, it } from 'vitest'

import { schemaDdl } from '../../src/store/index.js'
import { splitSql } from '../../src/store/client/sql-file.js'

const heads = (ddl: string) =>
  splitSql(ddl).map((sql) =>
    (/^(?:CREATE|ALTER)[^(\n]+/m.exec(sql)?.[0] ?? '').replace(/ IF NOT EXISTS| AS$/g, '').trim(),
  )

const VIEWS = [
  'spans',
  'spans_trace_id_ts',
  'plans',
  'plan_usage',
  'steps',
  'plannings',
  'agents',
  'think_acts',
  'tool_calls',
  'model_calls',
  'risks',
  'research_calls',
  'reviews',
  'waits',
]

describe('schemaDdl', () => {
  it('replaces every placeholder', () => {
    expect(schemaDdl()).not.toMatch(/\$\{/)
    expect(schemaDdl({ cluster: 'c' })).not.toMatch(/\$\{/)
  })

  it('writes the tables of a single server', () => {
    expect(heads(schemaDdl({ database: 'traces' }))).toEqual([
      'CREATE DATABASE traces',
      'CREATE TABLE traces.planspan_migrations',
      'CREATE TABLE traces.otel_traces',
      'ALTER TABLE traces.otel_traces ADD COLUMN AgentName LowCardinality',
      'ALTER TABLE traces.otel_traces MODIFY SETTING non_replicated_deduplication_window = 10000, enable_block_number_column = 1',
      'CREATE TABLE traces.otel_traces_trace_id_ts',
      'ALTER TABLE traces.otel_traces_trace_id_ts',
      'ALTER TABLE traces.otel_traces_trace_id_ts MODIFY SETTING non_replicated_deduplication_window = 10000',
      'CREATE MATERIALIZED VIEW traces.otel_traces_trace_id_ts_mv TO traces.otel_traces_trace_id_ts',
      'ALTER TABLE traces.otel_traces_trace_id_ts_mv MODIFY QUERY',
      'CREATE TABLE traces.plan_keys',
      'CREATE MATERIALIZED VIEW traces.plan_keys_mv TO traces.plan_keys',
      'CREATE TABLE traces.otlp_protobuf',
      'CREATE MATERIALIZED VIEW traces.otlp_protobuf_mv TO traces.otel_traces',
      'CREATE TABLE traces.otlp_json',
      'CREATE MATERIALIZED VIEW traces.otlp_json_mv TO traces.otel_traces',
      'CREATE TABLE traces.otel_logs',
      'ALTER TABLE traces.otel_logs ADD COLUMN EventName String CODEC',
      'ALTER TABLE traces.otel_logs MODIFY SETTING non_replicated_deduplication_window = 10000',
      'CREATE MATERIALIZED VIEW traces.otel_log_events_mv TO traces.otel_traces',
      'CREATE MATERIALIZED VIEW traces.otel_agent_logs_mv TO traces.otel_traces',
      'CREATE TABLE traces.otlp_logs_protobuf',
      'CREATE MATERIALIZED VIEW traces.otlp_logs_protobuf_mv TO traces.otel_logs',
      'CREATE TABLE traces.otlp_logs_json',
      'CREATE MATERIALIZED VIEW traces.otlp_logs_json_mv TO traces.otel_logs',
      'CREATE TABLE traces.service_operations',
      'CREATE TABLE traces.model_prices',
      'CREATE TABLE traces.otlp_journal',
      'CREATE TABLE traces.index_watermarks',
      'CREATE TABLE traces.superseded_imports',
      'CREATE TABLE traces.index_failures',
      'CREATE TABLE traces.plan_rows',
      'CREATE TABLE traces.span_rows',
      'CREATE TABLE traces.step_rows',
      'CREATE TABLE traces.review_rows',
      'CREATE TABLE traces.link_rows',
      ...VIEWS.map((name) => `CREATE OR REPLACE VIEW traces.${name}`),
    ])
  })

  it('writes Replicated tables below Distributed ones for a cluster, in an order that respects their dependencies', () => {
    const on = "ON CLUSTER 'main'"
    expect(heads(schemaDdl({ cluster: 'main' }))).toEqual([
      `CREATE DATABASE otel ${on}`,
      `CREATE TABLE otel.planspan_migrations ${on}`,
      `CREATE TABLE otel.otlp_protobuf ${on}`,
      `CREATE TABLE otel.otlp_json ${on}`,
      `CREATE TABLE otel.otlp_logs_protobuf ${on}`,
      `CREATE TABLE otel.otlp_logs_json ${on}`,
      `CREATE TABLE otel.otlp_journal ${on}`,
      `CREATE TABLE otel.index_watermarks ${on}`,
      `CREATE TABLE otel.otel_traces_local ${on}`,
      `CREATE TABLE otel.otel_traces_trace_id_ts_local ${on}`,
      `CREATE TABLE otel.plan_keys_local ${on}`,
      `CREATE TABLE otel.otel_logs_local ${on}`,
      `CREATE TABLE otel.service_operations_local ${on}`,
      `CREATE TABLE otel.model_prices_local ${on}`,
      `CREATE TABLE otel.superseded_imports_local ${on}`,
      `CREATE TABLE otel.index_failures_local ${on}`,
      `CREATE TABLE otel.plan_rows_local ${on}`,
      `CREATE TABLE otel.span_rows_local ${on}`,
      `CREATE TABLE otel.step_rows_local ${on}`,
      `CREATE TABLE otel.review_rows_local ${on}`,
      `CREATE TABLE otel.link_rows_local ${on}`,
      `ALTER TABLE otel.otel_traces_local ${on} ADD COLUMN AgentName LowCardinality`,
      `ALTER TABLE otel.otel_traces_trace_id_ts_local ${on}`,
      `ALTER TABLE otel.otel_logs_local ${on} ADD COLUMN EventName String CODEC`,
      `CREATE TABLE otel.otel_traces ${on} AS otel.otel_traces_local`,
      `CREATE TABLE otel.otel_traces_trace_id_ts ${on} AS otel.otel_traces_trace_id_ts_local`,
      `CREATE TABLE otel.plan_keys ${on} AS otel.plan_keys_local`,
      `CREATE TABLE otel.otel_logs ${on} AS otel.otel_logs_local`,
      `CREATE TABLE otel.service_operations ${on} AS otel.service_operations_local`,
      `CREATE TABLE otel.model_prices ${on} AS otel.model_prices_local`,
      `CREATE TABLE otel.superseded_imports ${on} AS otel.superseded_imports_local`,
      `CREATE TABLE otel.index_failures ${on} AS otel.index_failures_local`,
      `CREATE TABLE otel.plan_rows ${on} AS otel.plan_rows_local`,
      `CREATE TABLE otel.span_rows ${on} AS otel.span_rows_local`,
      `CREATE TABLE otel.step_rows ${on} AS otel.step_rows_local`,
      `CREATE TABLE otel.review_rows ${on} AS otel.review_rows_local`,
      `CREATE TABLE otel.link_rows ${on} AS otel.link_rows_local`,
      `ALTER TABLE otel.otel_traces ${on} ADD COLUMN AgentName LowCardinality`,
      `ALTER TABLE otel.otel_traces_trace_id_ts ${on}`,
      `ALTER TABLE otel.otel_logs ${on} ADD COLUMN EventName String CODEC`,
      `CREATE MATERIALIZED VIEW otel.otel_traces_trace_id_ts_mv ${on} TO otel.otel_traces_trace_id_ts_local`,
      `CREATE MATERIALIZED VIEW otel.plan_keys_mv ${on} TO otel.plan_keys_local`,
      `CREATE MATERIALIZED VIEW otel.otlp_protobuf_mv ${on} TO otel.otel_traces`,
      `CREATE MATERIALIZED VIEW otel.otlp_json_mv ${on} TO otel.otel_traces`,
      `CREATE MATERIALIZED VIEW otel.otel_log_events_mv ${on} TO otel.otel_traces_local`,
      `CREATE MATERIALIZED VIEW otel.otel_agent_logs_mv ${on} TO otel.otel_traces`,
      `CREATE MATERIALIZED VIEW otel.otlp_logs_protobuf_mv ${on} TO otel.otel_logs`,
      `CREATE MATERIALIZED VIEW otel.otlp_logs_json_mv ${on} TO otel.otel_logs`,
      ...VIEWS.map((name) => `CREATE OR REPLACE VIEW otel.${name} ${on}`),
    ])
  })

  it('replicates every local table, shards every Distributed one that has a trace by its id, and reads spans of the shard alone', () => {
    const statements = splitSql(schemaDdl({ cluster: '{cluster}' }))
    const engines = statements.flatMap((sql) => /ENGINE = (\w+)\(/.exec(sql)?.[1] ?? [])
    expect(engines).toEqual([
      'ReplicatedReplacingMergeTree',
      ...Array.from({ length: 2 }, () => 'ReplicatedAggregatingMergeTree'),
      'ReplicatedMergeTree',
      'ReplicatedAggregatingMergeTree',
      'ReplicatedMergeTree',
      ...Array.from({ length: 7 }, () => 'ReplicatedReplacingMergeTree'),
      ...Array.from({ length: 13 }, () => 'Distributed'),
    ])
    expect(statements.filter((sql) => sql.endsWith(', cityHash64(TraceId))'))).toHaveLength(10)
    expect(statements.filter((sql) => sql.includes('FROM otel.otel_traces_local'))).toHaveLength(2)
    expect(statements.join('\n')).not.toContain('non_replicated')
  })

  it.each([{ database: 'a b' }, { cluster: "c'; DROP" }])('rejects %j', (options) => {
    expect(() => schemaDdl(options)).toThrow(expect.objectContaining({ code: 'usage' }) as Error)
  })
})
