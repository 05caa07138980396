import { createHash } from 'node:crypto'

import { readSql } from './sql-file.js'

export interface Migration {
  readonly id: string
  readonly sql: string
  /** SHA-256 of the SQL with its placeholder for the database. */
  readonly checksum: string
}

/** The schema's history: each migration is applied once, in this order, and never edited after a release. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  '0001_otel_traces': ['0001_otel_traces.sql'],
  '0002_trace_id_ts': ['0002_trace_id_ts.sql'],
  '0003_plan_keys': ['0003_plan_keys.sql'],
  '0004_plan_states': ['0004_plan_states.sql'],
  '0005_landing': ['landing/protobuf.sql', 'landing/json.sql'],
  '0006_service_operations': ['0006_service_operations.sql'],
  '0007_model_prices': ['0007_model_prices.sql'],
  '0008_listed_steps': ['0008_listed_steps.sql'],
}

/** All migrations, read from their files. */
export const readMigrations = (): Migration[] =>
  Object.entries(FILES).map(([id, files]) => {
    const sql = files.map(readSql).join('\n')
    return { id, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })
