import { get, type OutgoingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { engineAttempts, functionAttempts, listFunctions, tableFunctionAttempts } from './attempts.js'
import { type Canaries, OPEN, plantCanaries } from './canaries.js'
import { FUNCTIONS, PRIVILEGES, SYSTEM_TABLES, TABLE_FUNCTIONS } from './may-answer.js'
import { type Attempt, sweep } from './sweep.js'

let canaries: Canaries

beforeAll(async () => {
  canaries = await plantCanaries()
})
afterAll(() => canaries.remove())

const without = (names: Iterable<string>, allowed: readonly string[]) =>
  [...names].filter((name) => !allowed.includes(name)).sort()

const SWEEP = { timeout: 300_000 }
const NONE = { reported: [], changed: [] }

describe('no query of the reader reveals hidden data, opens a connection or changes anything', SWEEP, () => {
  it('with any function', async () => {
    const functions = await listFunctions(canaries)
    const { answered, ...harm } = await sweep(canaries, await functionAttempts(canaries, functions))
    const mixed = functions.filter(({ pure }) => !pure).map(({ name }) => name)
    expect(harm).toEqual(NONE)
    expect(
      without(
        mixed.filter((name) => answered.has(name)),
        FUNCTIONS,
      ),
    ).toEqual([])
    expect(without(FUNCTIONS, mixed)).toEqual([])
    expect(answered.size).toBeGreaterThan(500)
  })

  it('with any table function', async () => {
    const { answered, ...harm } = await sweep(canaries, await tableFunctionAttempts(canaries))
    expect(harm).toEqual(NONE)
    expect(without(answered, TABLE_FUNCTIONS)).toEqual([])
    expect(without(TABLE_FUNCTIONS, [...answered])).toEqual([])
  })

  it('with any table of ClickHouse’s own', async () => {
    const tables = await canaries.rows(
      `SELECT database, name FROM system.tables WHERE database IN ('system', 'information_schema', 'INFORMATION_SCHEMA')`,
    )
    const attempts = tables.map(([database = '', name = '']) => ({
      of: database === 'system' ? name : database,
      sql: `SELECT * FROM ${database}.${name} FORMAT TSV`,
    }))
    const { answered, ...harm } = await sweep(canaries, attempts)
    expect(harm).toEqual(NONE)
    expect(without(answered, [...SYSTEM_TABLES, 'information_schema', 'INFORMATION_SCHEMA'])).toEqual([])
    expect(without(SYSTEM_TABLES, [...answered])).toEqual([])
  })

  it('with any output format', async () => {
    const formats = await canaries.rows('SELECT name FROM system.formats WHERE is_output')
    const { answered, ...harm } = await sweep(
      canaries,
      formats.map(([name = '']) => ({ of: name, sql: `SELECT 1 AS a, 'b' AS b FORMAT ${name}` })),
    )
    expect(harm).toEqual(NONE)
    expect(answered).toContain('JSON')
  })

  it('with a table or database of any engine', async () => {
    expect(await sweep(canaries, await engineAttempts(canaries))).toEqual({ ...NONE, answered: new Set() })
  })

  it('with any privilege: it may only read', async () => {
    const named = new Set(['DEFINER', 'NAMED_COLLECTION', 'SOURCE', 'TABLE_ENGINE', 'USER_NAME'])
    const privileges = await canaries.rows(
      `SELECT privilege, level FROM system.privileges
       WHERE privilege NOT IN ('NONE', 'SHOW FILESYSTEM CACHES')`,
    )
    const granted: string[] = []
    for (const [privilege = '', level = ''] of privileges) {
      for (const on of named.has(level) ? ['*'] : ['*.*', `${OPEN}.*`, 'system.*', `${canaries.hidden}.*`]) {
        const { text } = await canaries.ask(`CHECK GRANT ${privilege} ON ${on}`)
        expect(text).toMatch(/^[01]\n$|cannot be granted|INVALID_GRANT/)
        if (text === '1\n') granted.push(`${privilege} ON ${on}`)
      }
    }
    expect(granted.sort()).toEqual([...PRIVILEGES].sort())
  })

  it('with any SYSTEM statement', async () => {
    const privileges = await canaries.rows(`SELECT privilege FROM system.privileges WHERE privilege LIKE 'SYSTEM %'`)
    const { answered, ...harm } = await sweep(
      canaries,
      privileges.flatMap(([privilege = '']) =>
        ['', ` ${OPEN}.t`].map((on): Attempt => ({ of: privilege, sql: `${privilege}${on}` })),
      ),
    )
    expect({ ...harm, answered }).toEqual({ ...NONE, answered: new Set() })
  })

  const file = `'/tmp/planspan-canary.txt'`
  it.each([
    `INSERT INTO ${OPEN}.t VALUES (2, 'x')`,
    `INSERT INTO FUNCTION file(${file}, 'CSV', 'n UInt8') VALUES (1)`,
    `INSERT INTO FUNCTION null('n UInt8') VALUES (1)`,
    `CREATE TABLE ${OPEN}.x (n UInt8) ENGINE = Memory`,
    `CREATE TABLE ${OPEN}.x AS ${OPEN}.t`,
    'CREATE TEMPORARY TABLE x (n UInt8)',
    `CREATE VIEW ${OPEN}.x AS SELECT 1`,
    'CREATE TEMPORARY VIEW x AS SELECT 1',
    `CREATE MATERIALIZED VIEW ${OPEN}.x ENGINE = Memory AS SELECT * FROM ${OPEN}.t`,
    'CREATE DATABASE x',
    'CREATE FUNCTION x AS n -> n',
    'DROP FUNCTION file',
    `CREATE DICTIONARY ${OPEN}.x (n UInt64) PRIMARY KEY n SOURCE(FILE(path ${file} format 'CSV')) LAYOUT(FLAT()) LIFETIME(1)`,
    'CREATE USER x',
    `ALTER USER planspan_reader IDENTIFIED BY 'x'`,
    'CREATE ROLE x',
    'CREATE SETTINGS PROFILE x',
    'CREATE QUOTA x',
    `CREATE ROW POLICY x ON ${OPEN}.t USING 1`,
    'CREATE NAMED COLLECTION x AS a = 1',
    'CREATE WORKLOAD x',
    'GRANT SELECT ON *.* TO planspan_reader',
    'REVOKE SELECT ON *.* FROM planspan',
    'SET DEFAULT ROLE NONE TO planspan_reader',
    'EXECUTE AS planspan SELECT 1',
    'EXECUTE AS default',
    'SET max_threads = 1',
    'SET readonly = 0',
    'SELECT 1 SETTINGS readonly = 0',
    `SELECT 1 FORMAT Template SETTINGS format_template_row = ${file}`,
    `SELECT 1 INTO OUTFILE ${file}`,
    `ALTER TABLE ${OPEN}.t ADD COLUMN x UInt8`,
    `ALTER TABLE ${OPEN}.t DELETE WHERE 1`,
    `ALTER TABLE ${OPEN}.t FREEZE`,
    `DELETE FROM ${OPEN}.t WHERE 1`,
    `UPDATE ${OPEN}.t SET s = '' WHERE 1`,
    `DROP TABLE ${OPEN}.t`,
    `TRUNCATE TABLE ${OPEN}.t`,
    `RENAME TABLE ${OPEN}.t TO ${OPEN}.u`,
    `EXCHANGE TABLES ${OPEN}.t AND ${OPEN}.t`,
    `DETACH TABLE ${OPEN}.t`,
    `ATTACH TABLE ${OPEN}.x`,
    `UNDROP TABLE ${OPEN}.x`,
    `OPTIMIZE TABLE ${OPEN}.t FINAL`,
    `CHECK TABLE ${OPEN}.t`,
    `BACKUP TABLE ${OPEN}.t TO File(${file})`,
    `RESTORE TABLE ${OPEN}.t FROM File(${file})`,
    'KILL QUERY WHERE 1',
    'KILL MUTATION WHERE 1',
    'BEGIN TRANSACTION',
    'SHOW ACCESS',
    'SHOW USERS',
    'SHOW CREATE USER planspan',
    'SHOW PROCESSLIST',
    'SELECT * FROM system.users',
    'SELECT * FROM system.server_settings',
    'SELECT * FROM system.processes',
    'SHOW CREATE DATABASE HIDDEN',
    'DESCRIBE HIDDEN.t',
    'EXPLAIN SELECT * FROM HIDDEN.t',
    'SELECT count() FROM HIDDEN.t',
    'EXISTS TABLE HIDDEN.t',
    `SELECT hasColumnInTable('HIDDEN', 't', 's')`,
    'USE HIDDEN',
  ])('with %s', async (statement) => {
    const sql = statement.replaceAll('HIDDEN', canaries.hidden)
    expect(await sweep(canaries, [{ of: sql, sql }])).toEqual({ ...NONE, answered: new Set() })
  })

  it('with inline data whose values are expressions', async () => {
    const { origin, username, password } = new URL(canaries.clickhouse.readerUrl)
    const bring = async (value: string) => {
      const body = new FormData()
      body.append('brought', new Blob([value]), 'brought')
      const query = 'query=SELECT * FROM brought&brought_format=Values&brought_structure=s String'
      const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` }
      return (await fetch(`${origin}/?${encodeURI(query)}`, { method: 'POST', headers, body })).text()
    }
    expect(await bring(`(concat('a', 'b'))`)).toBe('ab\n')
    for (const path of canaries.paths) expect(await bring(`(file('${path}'))`)).toContain('keeps file() closed')
  })

  // An existing file cannot be distinguished from a missing one.
  it('with files as tables', async () => {
    for (const from of ['', 'default.', `${OPEN}.`]) {
      const [there, absent] = await Promise.all(
        [canaries.paths[0] ?? '', canaries.absent].map(async (path) => {
          const { text } = await canaries.ask(`SELECT * FROM ${from}\`${path}\``)
          return text.replaceAll(path, '').replace(/Maybe you meant.*?\]/, '')
        }),
      )
      expect(there).toBe(absent)
      expect(there).toContain('UNKNOWN_TABLE')
    }
  })

  it.each(['play', 'dashboard', 'binary', 'merges', 'jemalloc', 'webterminal', 'js/uplot.js', 'replicas_status', 'x'])(
    'with the path /%s over HTTP',
    async (path) => {
      const url = new URL(path, canaries.clickhouse.url)
      expect(await status(url, {})).toBe(404)
      const socket = { 'sec-websocket-version': '13', 'sec-websocket-key': btoa('0123456789abcdef') }
      expect(await status(url, { connection: 'upgrade', upgrade: 'websocket', ...socket })).toBe(404)
    },
  )
})

describe('the reader can run the queries of people and of Grafana:', () => {
  it.each([
    ['SELECT version()', /^\d/],
    ['SELECT currentUser()', /^planspan_reader\n$/],
    ['SHOW DATABASES', /^INFORMATION_SCHEMA\ndefault\ninformation_schema\nopen\nsystem\n$/],
    [`SHOW TABLES FROM ${OPEN}`, /^t\n$/],
    [`SHOW CREATE TABLE ${OPEN}.t`, /MergeTree/],
    [`SHOW COLUMNS FROM t FROM ${OPEN}`, /^n\t/],
    [`SHOW INDEX FROM ${OPEN}.t`, /bloom_filter/i],
    [`DESC TABLE "${OPEN}"."t"`, /^n\tUInt64/],
    ['DESCRIBE system.tables', /^database\tString/],
    [`EXISTS TABLE ${OPEN}.t`, /^1\n$/],
    ["SHOW FUNCTIONS LIKE 'toDate'", /^toDate/],
    ["SHOW SETTINGS LIKE 'readonly'", /^readonly\t\w+\t1\n$/],
    ['SHOW GRANTS', /GRANT SELECT ON open\.\*/],
    [`EXPLAIN SELECT * FROM ${OPEN}.t`, /ReadFromMergeTree/],
    [`EXPLAIN ESTIMATE SELECT * FROM ${OPEN}.t`, /^open\tt/],
    [`SELECT name, type FROM system.columns WHERE database = '${OPEN}'`, /^n\tUInt64\ns\tString\n$/],
    [`SELECT name FROM system.tables WHERE database = '${OPEN}'`, /^t\n$/],
    [`SELECT DISTINCT database FROM system.parts`, /^open\n$/],
    [`SELECT table_name FROM information_schema.tables WHERE table_schema = '${OPEN}'`, /^t\n$/],
    ['SELECT sum(number) FROM numbers(3)', /^3\n$/],
    [`SELECT s FROM ${OPEN}.t`, /^open\n$/],
    ['SELECT 1 SETTINGS max_execution_time = 5', /^1\n$/],
    ['SELECT 1 SETTINGS max_memory_usage = 5000000', /^1\n$/],
  ])('%s', async (sql, expected) => {
    const { ok, text } = await canaries.ask(sql)
    expect(text).toMatch(expected)
    expect(ok).toBe(true)
  })

  it('the reason why a function is restricted', async () => {
    const { text } = await canaries.ask(`SELECT file('x')`)
    expect(text).toContain('planspan keeps file() closed')
  })
})

function status(url: URL, headers: OutgoingHttpHeaders): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false })
    request.once('error', reject)
    request.once('response', (response) => resolve(response.resume().statusCode))
    request.once('upgrade', (response, opened) => {
      opened.destroy()
      resolve(response.statusCode)
    })
  })
}
