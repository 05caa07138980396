import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { startClickHouse, type EmbeddedClickHouse } from '../../../src/clickhouse/index.js'
import { createStore, type StoreOptions } from '../../../src/store/index.js'
import { execute } from '../../support/clickhouse.js'

/** The storage of a self-managed ClickHouse from docs/deployment.md, and a policy without the default disk. */
const storage = (directory: string) => `<clickhouse>
  <storage_configuration>
    <disks>
      <archive><type>local</type><path>${directory}/archive/</path></archive>
      <other><type>local</type><path>${directory}/other/</path></other>
    </disks>
    <policies>
      <tiered>
        <volumes>
          <default><disk>default</disk></default>
          <cold><disk>archive</disk></cold>
          <colder><disk>other</disk></colder>
        </volumes>
      </tiered>
      <apart>
        <volumes>
          <hot><disk>other</disk></hot>
          <cold><disk>archive</disk></cold>
        </volumes>
      </apart>
    </policies>
  </storage_configuration>
</clickhouse>`

let directory: string
let clickhouse: EmbeddedClickHouse

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  const dataDirectory = join(directory, 'data')
  mkdirSync(join(dataDirectory, 'config.d'), { recursive: true })
  writeFileSync(join(dataDirectory, 'config.d/storage.xml'), storage(directory))
  clickhouse = await startClickHouse({ dataDirectory })
})
afterAll(async () => {
  await clickhouse.stop()
  rmSync(directory, { recursive: true })
})

const run = (sql: string) => execute(clickhouse.url, sql)
beforeEach(() => run('CREATE DATABASE otel'))
afterEach(() => run('DROP DATABASE otel SYNC'))

async function migrate(options: Omit<StoreOptions, 'url'> = {}): Promise<void> {
  const store = createStore({ url: clickhouse.url, ...options })
  try {
    await store.migrate()
  } finally {
    await store.close()
  }
}

const ttl = async () =>
  (
    await run(
      `SELECT extract(engine_full, ' TTL (.+?) SETTINGS') FROM system.tables WHERE name = 'otel_traces' FORMAT TSVRaw`,
    )
  ).trim()

const drop = (days: number) => `toDateTime(Timestamp) + toIntervalDay(${days})`
const move = (days: number, volume = 'cold') => `${drop(days)} TO VOLUME '${volume}'`
const recompress = `${drop(2)} RECOMPRESS CODEC(ZSTD(17))`
const cold = { policy: 'tiered', volume: 'cold', afterDays: 7 }

describe('a volume of a self-managed ClickHouse', () => {
  it.each([
    [
      'is missing if its policy does not exist',
      { policy: 'cold' },
      /no storage policy cold.* tiered\.cold, tiered\.colder.*docs\/deployment\.md/,
    ],
    [
      'is missing if it is unknown',
      { volume: 'warm' },
      /no volume warm; it has tiered\.default, tiered\.cold, tiered\.colder/,
    ],
    ['is not that of new spans', { volume: 'default' }, /New spans are written to the volume default/],
    [
      'is unusable if its policy lacks the disk of the table',
      { policy: 'apart' },
      /is on the storage policy default.*Change apart/,
    ],
  ])('%s', async (_what, wrong, message) => {
    await expect(migrate({ cold: { ...cold, ...wrong } })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(message) as string,
    })
    expect(await ttl()).toBe('')
  })

  it('may change at the next start', async () => {
    await migrate({ cold })
    expect(await ttl()).toBe(move(7))
    await migrate({ cold: { ...cold, volume: 'colder', afterDays: 70 } })
    expect(await ttl()).toBe(move(70, 'colder'))
  })

  it('holds only spans: lookups stay', async () => {
    await migrate({ cold, retentionDays: 30 })
    const moved = await run(
      `SELECT name FROM system.tables WHERE database = 'otel' AND (storage_policy = 'tiered' OR engine_full LIKE '%TO VOLUME%')`,
    )
    expect(moved).toBe('otel_traces\n')
  })
})

describe('the settings of a table’s owner', () => {
  const set = (...parts: string[]) => run(`ALTER TABLE otel.otel_traces MODIFY TTL ${parts.join(', ')}`)

  it.each<[string, string[], Omit<StoreOptions, 'url'>, string[], string[]]>([
    [
      'stays where nothing is asked for',
      [drop(90), move(8), recompress],
      {},
      [drop(90), move(8), recompress],
      [drop(90), move(8), recompress],
    ],
    [
      'to drop spans stays beside a cold volume',
      [drop(90), recompress],
      { cold },
      [drop(90), move(7), recompress],
      [drop(90), recompress],
    ],
    ['to move spans stays beside a retention', [move(8)], { retentionDays: 30 }, [drop(30), move(8)], [move(8)]],
    ['to move spans gives way to a cold volume', [move(8), recompress], { cold }, [move(7), recompress], [recompress]],
  ])('%s', async (_what, own, options, expected, afterwards) => {
    await migrate()
    await run(`ALTER TABLE otel.otel_traces MODIFY SETTING storage_policy = 'tiered'`)
    await set(...own)
    await migrate(options)
    expect(await ttl()).toBe(expected.join(', '))
    await migrate()
    expect(await ttl()).toBe(afterwards.join(', '))
  })
})
