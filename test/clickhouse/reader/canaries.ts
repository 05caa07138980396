import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { type EmbeddedClickHouse, startClickHouse } from '../../../src/clickhouse/index.js'
import { execute } from '../../support/clickhouse.js'

/** The output of ClickHouse, an error or not. */
export interface Said {
  readonly ok: boolean
  readonly text: string
}

/** An embedded ClickHouse among files, a database and a port that its reader must not reach. */
export interface Canaries {
  readonly clickhouse: EmbeddedClickHouse
  /** Paths that lead ClickHouse to the secret: several files, and its own environment. */
  readonly paths: readonly string[]
  /** The path of a missing file. */
  readonly absent: string
  /** `127.0.0.1:port` of a listener that counts connections. */
  readonly host: string
  /** The database that is hidden from the reader. */
  readonly hidden: string
  /** Runs a query as the reader. */
  ask(sql: string): Promise<Said>
  /** The rows of a query by the writer. */
  rows(sql: string): Promise<string[][]>
  /** Whether an output contains the secret, the writer's password, or an unmentioned name of the hidden database. */
  reveals(sql: string, text: string): boolean
  /** Everything that could be changed, line by line, and the number of connections to the listener. */
  state(): Promise<string[]>
  remove(): Promise<void>
}

/** The database that the reader may read. */
export const OPEN = 'open'

/** Starts it. The reader's database and the hidden one have a table `t`; the secret is in everything that is hidden. */
export async function plantCanaries(): Promise<Canaries> {
  const secret = `canary${randomBytes(8).toString('hex')}`
  const hidden = `hidden_${randomBytes(4).toString('hex')}`
  const root = mkdtempSync(join(tmpdir(), 'planspan-canaries-'))
  const [outside, dataDirectory] = [join(root, 'outside'), join(root, 'data')]
  const files = [
    join(outside, 'canary.txt'),
    join(dataDirectory, 'canary.txt'),
    join(dataDirectory, 'store/canary.txt'),
  ]
  for (const directory of [outside, join(dataDirectory, 'store'), join(dataDirectory, 'config.d')]) {
    mkdirSync(directory, { recursive: true })
  }
  for (const file of files) writeFileSync(file, `${secret}\n`)
  // Logging ten thousand rejections with their stack traces is slow.
  writeFileSync(join(dataDirectory, 'config.d/quiet.xml'), '<clickhouse><log-level>fatal</log-level></clickhouse>')
  let connections = 0
  const listener = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve)
  })
  const clickhouse = await startWith({ LD_LIBRARY_PATH: join(root, secret) }, dataDirectory)
  const write = (sql: string) => execute(clickhouse.url, sql)
  for (const [database, word] of [
    [OPEN, 'open'],
    [hidden, secret],
  ]) {
    await write(`CREATE DATABASE ${database}`)
    const columns = '(n UInt64, s String, INDEX i s TYPE bloom_filter)'
    await write(`CREATE TABLE ${database}.t ${columns} ENGINE = MergeTree ORDER BY n`)
    await write(`INSERT INTO ${database}.t VALUES (1, '${word}')`)
  }
  const agent = new Agent({ keepAlive: true })
  const words = [secret, hidden, new URL(clickhouse.url).password]
  return {
    clickhouse,
    paths: [...files.slice(0, 1), '../canary.txt', 'canary.txt', '/proc/self/environ'],
    absent: join(outside, 'absent.txt'),
    host: `127.0.0.1:${(listener.address() as AddressInfo).port}`,
    hidden,
    ask: (sql) => askAs(clickhouse.readerUrl, agent, sql),
    rows: async (sql) =>
      (await write(sql))
        .trim()
        .split('\n')
        .map((line) => line.split('\t')),
    reveals: (sql, said) => words.some((word) => said.includes(word) && !sql.includes(word)),
    state: async () => [`${connections} connections`, ...(await Promise.all(STATE.map(write))), ...listFiles(root)],
    remove: async () => {
      agent.destroy()
      await clickhouse.stop()
      listener.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

// The child inherits a few variables; one of them decides whether it shows its environment.
async function startWith(environment: Record<string, string>, dataDirectory: string): Promise<EmbeddedClickHouse> {
  const before = { ...process.env }
  Object.assign(process.env, environment)
  try {
    return await startClickHouse({ dataDirectory, databases: [OPEN] })
  } finally {
    for (const name of Object.keys(environment)) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
}

// Half the cost of fetch, which matters for ten thousand queries.
function askAs(url: string, agent: Agent, sql: string): Promise<Said> {
  const { port, username, password } = new URL(url)
  return new Promise((resolve, reject) => {
    const asked = request({ agent, host: '127.0.0.1', port, method: 'POST', auth: `${username}:${password}` })
    asked.once('error', reject)
    asked.once('response', (response) => {
      text(response).then((said) => resolve({ ok: response.statusCode === 200, text: said }), reject)
    })
    asked.end(sql)
  })
}

const STATE = [
  'SELECT name FROM system.databases ORDER BY name',
  `SELECT database, name, uuid, create_table_query, total_rows, total_bytes FROM system.tables
   WHERE database NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema') ORDER BY ALL`,
  `SELECT name, create_query FROM system.functions WHERE origin != 'System' ORDER BY ALL`,
  'SELECT user_name, role_name, access_type, database, table, column FROM system.grants ORDER BY ALL',
  'SELECT name, auth_type FROM system.users ORDER BY name',
  'SELECT name FROM system.named_collections ORDER BY name',
  'SELECT name, value FROM system.server_settings WHERE changed ORDER BY name',
]

/** Every file below a directory with its content, except ClickHouse's logs. */
function listFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return [path, ...listFiles(path)]
    return entry.isFile() && !path.endsWith('.log') ? `${path} ${readFileSync(path).toString('base64')}` : path
  })
}
