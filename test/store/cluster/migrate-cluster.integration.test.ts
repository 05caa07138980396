import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createStore, migrateCluster, type ClusterReport } from '../../../src/store/index.js'
import { execute } from '../../support/clickhouse.js'
import { startShards, type Shards } from '../../support/cluster.js'
import { insertSpans, planAttributes } from '../spans.js'

const MINUTES = 60_000

let shards: Shards

beforeAll(async () => {
  shards = await startShards()
})
afterAll(() => shards.drop())

const apply = (options: { retentionDays?: number } = {}): Promise<ClusterReport> =>
  migrateCluster({ cluster: shards.name, database: shards.database, hosts: shards.shardUrls.join(), ...options })

const everywhere = (sql: string) => Promise.all(shards.shardUrls.map((url) => execute(url, sql)))

const tables = () =>
  everywhere(`SELECT name, uuid FROM system.tables WHERE database = '${shards.database}' ORDER BY name`)

const shown = () => shards.shardUrls.map((url) => ({ url: url.replace(/:[^:@]*@/, '@').replace(/\/$/, '') }))

describe('migrateCluster', { timeout: 2 * MINUTES }, () => {
  it('creates all tables on each host, in two concurrent runs, and changes nothing the second time', async () => {
    const reports = await Promise.all([apply(), apply()])
    for (const report of reports) expect(report).toEqual({ hosts: shown(), differences: [] })
    const made = await tables()
    expect(await apply()).toEqual({ hosts: shown(), differences: [] })
    expect(await tables()).toEqual(made)
  })

  it('creates tables that accept spans on any host, compute columns, and keep a trace on one shard', async () => {
    const traces = Array.from({ length: 20 }, (_, at) => `trace-${String(at)}`)
    for (const [at, url] of shards.shardUrls.entries()) {
      const store = createStore({ url, database: shards.database })
      await store.migrate()
      await insertSpans(
        store.client,
        store.database,
        traces.map((traceId) => ({
          traceId,
          spanId: `span-${String(at)}`,
          attributes: planAttributes({ planId: `plan of ${traceId}`, state: 'completed' }),
        })),
      )
      await store.close()
    }
    const { database } = shards
    const columns = 'TraceId, PlanId, Role, State, Span, Recency'
    const [one, two] = await everywhere(`SELECT ${columns} FROM ${database}.otel_traces ORDER BY TraceId, Span`)
    expect(one!.trim().split('\n')).toHaveLength(40)
    expect(one).toContain('trace-3\tplan of trace-3\tplan\tcompleted\tspan-1\t4294967296\n')
    expect(two).toBe(one)
    const [first, second] = await everywhere(`SELECT DISTINCT TraceId FROM ${database}.otel_traces_local`)
    const held = [first!, second!].map((text) => text.trim().split('\n'))
    expect(held.flat().sort()).toEqual(traces.sort())
    for (const lookup of ['plan_keys', 'otel_traces_trace_id_ts']) {
      const [own, other] = await everywhere(`SELECT DISTINCT TraceId FROM ${database}.${lookup}_local`)
      expect([own!, other!].map((text) => text.trim().split('\n').sort())).toEqual(held.map((ids) => ids.sort()))
    }
  })

  it('resumes an interrupted migration', async () => {
    const { database } = shards
    const counts = () => everywhere(`SELECT uniqExact(Kind, Key, TraceId) FROM ${database}.plan_keys_local`)
    const before = await counts()
    await everywhere(`DROP VIEW ${database}.plan_keys_mv SYNC`)
    await everywhere(`DROP TABLE ${database}.plan_keys SYNC`)
    await everywhere(`TRUNCATE TABLE ${database}.plan_keys_local`)
    await everywhere(`TRUNCATE TABLE ${database}.planspan_migrations`)
    expect(await apply()).toEqual({ hosts: shown(), differences: [] })
    expect(await counts()).toEqual(before)
  })

  it('rejects a host with a development build’s tables', async () => {
    const database = 'development'
    const [host = ''] = shards.shardUrls
    await execute(host, `CREATE DATABASE ${database}`)
    await execute(
      host,
      `CREATE TABLE ${database}.planspan_migrations (Id String, Checksum String) ENGINE = MergeTree ORDER BY Id`,
    )
    const { hosts } = await migrateCluster({ cluster: shards.name, database, hosts: shards.shardUrls.join() })
    expect(hosts.map(({ failure }) => failure?.code)).toEqual(['schema_mismatch', undefined])
    expect(hosts[0]?.failure?.message).toContain('planspan export')
  })

  it('sets how long spans are kept, which a server only checks', async () => {
    const { database, url } = shards
    await apply()
    const serve = async (retentionDays: number) => {
      const store = createStore({ url, database, retentionDays })
      await store.migrate().finally(() => store.close())
    }
    await expect(serve(3000)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/--retention 3000 .*schema --cluster NAME --apply --retention 3000/) as string,
    })
    expect(await apply({ retentionDays: 3000 })).toEqual({ hosts: shown(), differences: [] })
    await serve(3000)
    await expect(serve(30)).rejects.toMatchObject({ code: 'usage' })
    expect(await apply()).toEqual({ hosts: shown(), differences: [] })
    await serve(3000)
    const kept = await everywhere(
      `SELECT name, extract(engine_full, 'TTL .+ \\+ toIntervalDay\\((\\d+)\\)') AS days FROM system.tables
       WHERE database = '${database}' AND days != '' ORDER BY name`,
    )
    const rows = ['index_failures', 'otel_logs', 'otel_traces', 'plan_rows', 'review_rows', 'span_rows', 'step_rows']
    const lookups = ['link_rows', 'otel_traces_trace_id_ts', 'plan_keys', 'service_operations']
    const days = [...rows.map((name) => `${name}_local\t3000`), ...lookups.map((name) => `${name}_local\t3007`)]
    expect(kept.map((text) => text.trim().split('\n').toSorted())).toEqual([days.toSorted(), days.toSorted()])
  })

  it('creates missing tables', async () => {
    const made = (await tables()).map((text) => text.replaceAll(/\t.*/g, ''))
    const { database } = shards
    for (const name of ['plan_keys', 'plan_keys_local', 'otel_traces', 'otlp_json_mv', 'plans']) {
      await execute(shards.shardUrls[1]!, `DROP TABLE ${database}.${name} SYNC`)
    }
    expect(await apply()).toEqual({ hosts: shown(), differences: [] })
    expect((await tables()).map((text) => text.replaceAll(/\t.*/g, ''))).toEqual(made)
    expect(await execute(shards.url, `SELECT uniqExact(TraceId) FROM ${database}.plan_keys`)).toBe('20\n')
  })

  it('reports how hosts differ', async () => {
    const { database } = shards
    const second = shards.shardUrls[1]!
    await execute(second, `ALTER TABLE ${database}.plan_keys_local ADD COLUMN Extra String DEFAULT 'x'`)
    await execute(second, `ALTER TABLE ${database}.otel_traces_local MODIFY COLUMN PlanId String MATERIALIZED 'none'`)
    await execute(second, `DROP VIEW ${database}.spans`)
    const [one, two] = shown().map(({ url }) => url)
    const { differences } = await apply()
    expect(differences).toEqual([
      expect.stringMatching(
        /^otel_traces_local\.PlanId: .* has String MATERIALIZED .*; .* has String MATERIALIZED 'none'$/,
      ),
      `plan_keys_local.Extra: ${one!} lacks it; ${two!} has String DEFAULT 'x'`,
    ])
  })

  it.each([
    ['a cluster that ClickHouse does not know', { cluster: 'other' }, /no cluster "other"; its clusters are: .*shards/],
    [
      'servers of one machine whose ports it cannot know',
      { clickhouse: '' },
      /several servers on 127\.0\.0\.1.*--hosts/,
    ],
    ['what is no name of a cluster', { cluster: "c'; DROP" }, /not a valid name of a ClickHouse cluster/],
  ])(
    'rejects %s',
    async (_what, { cluster = shards.name, ...rest }: { cluster?: string; clickhouse?: string }, message) => {
      const where = 'clickhouse' in rest ? { clickhouse: shards.url } : { hosts: shards.url }
      await expect(migrateCluster({ cluster, ...where })).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringMatching(message) as string,
      })
    },
  )

  it('rejects the tables of a single server, and leaves them unchanged', async () => {
    const database = 'single'
    const store = createStore({ url: shards.url, database })
    await store.migrate()
    await store.close()
    const { hosts } = await migrateCluster({ cluster: shards.name, database, hosts: shards.url })
    expect(hosts).toMatchObject([{ failure: { code: 'schema_mismatch' } }])
    expect(await execute(shards.url, `EXISTS TABLE ${database}.otel_traces_local`)).toBe('0\n')
  })
})
