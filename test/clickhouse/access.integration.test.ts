import { createClient } from '@clickhouse/client'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import { execute, type FreshDatabase, freshDatabase } from '../support/clickhouse.js'

const writer = inject('clickhouseUrl')
const reader = inject('clickhouseReaderUrl')
const nativePort = inject('clickhouseNativePort')
const writerPassword = new URL(writer).password
const nobody = new URL(writer).origin

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
  await execute(writer, `CREATE TABLE ${fresh.database}.numbers (n UInt64) ENGINE = MergeTree ORDER BY n`)
  await execute(writer, `INSERT INTO ${fresh.database}.numbers VALUES (1), (2)`)
})

afterAll(() => fresh.drop())

describe('the writer', () => {
  it.each([
    ['timezone()', 'UTC'],
    ["getSetting('async_insert')", 'false'],
    ["getSetting('output_format_json_quote_64bit_integers')", 'true'],
    ['currentUser()', 'planspan'],
  ])('finds %s to be %s', async (expression, value) => {
    expect(await execute(writer, `SELECT ${expression}`)).toBe(`${value}\n`)
  })

  it('has no log tables that would grow', async () => {
    expect(
      await execute(writer, `SELECT name FROM system.tables WHERE database = 'system' AND name LIKE '%\\_log'`),
    ).toBe('')
  })
})

it('has parts without a file for the lengths of a column’s strings', async () => {
  const setting = `SELECT value FROM system.merge_tree_settings WHERE name = 'string_serialization_version'`
  expect(await execute(writer, setting)).toBe('single_stream\n')
})

describe('the reader', () => {
  it('reads through the client, with its own time limit, as Grafana sets it', async () => {
    const client = createClient({ url: reader, database: fresh.database })
    const result = await client.query({
      query: `SELECT sum(n) AS sum, getSetting('max_execution_time') AS limit FROM numbers`,
      format: 'JSONEachRow',
      clickhouse_settings: { max_execution_time: 7 },
    })
    expect(await result.json()).toEqual([{ sum: '3', limit: 7 }])
    await client.close()
  })

  it.each([
    ['insert', () => `INSERT INTO ${fresh.database}.numbers VALUES (3)`],
    ['create', () => `CREATE TABLE ${fresh.database}.mine (n UInt8) ENGINE = Memory`],
    ['drop', () => `DROP TABLE ${fresh.database}.numbers`],
    ['change another setting', () => 'SELECT 1 SETTINGS max_threads = 1'],
    ['read files', () => `SELECT * FROM file('/etc/hostname', 'LineAsString')`],
    ['call URLs', () => `SELECT * FROM url('${nobody}/ping', 'LineAsString')`],
    ['close the ports', () => 'SYSTEM STOP LISTEN HTTP'],
    ["kill another's queries", () => `KILL QUERY WHERE user = ''`],
  ])('may not %s', async (_, statement) => {
    await expect(execute(reader, statement())).rejects.toThrowError(/ACCESS_DENIED|READONLY|getcwd/)
  })
})

describe('any other user', () => {
  it.each([
    ['without a name', ''],
    ['as default', 'default:@'],
    ['as default, by its name in the URL', '', '?user=default'],
    ['as default with more sessions', 'default:@', '?max_sessions_for_user=9'],
    ['as default in a named session', 'default:@', '?session_id=a'],
    ['as default with another profile', 'default:@', '?profile=default'],
    ['with a wrong password', 'planspan:wrong@'],
    ["with the writer's password as reader", `planspan_reader:${writerPassword}@`],
  ])('is rejected over HTTP %s', async (_, credentials, parameters = '') => {
    const headers = credentials === '' ? {} : { authorization: `Basic ${btoa(credentials.slice(0, -1))}` }
    const response = await fetch(`${nobody}/${parameters}`, { method: 'POST', headers, body: 'SELECT 1' })
    expect(response.ok).toBe(false)
    expect(await response.text()).toMatch(/AUTHENTICATION_FAILED|USER_SESSION_LIMIT_EXCEEDED/)
  })

  it.each([
    ['as default', 'default', '', 'USER_SESSION_LIMIT_EXCEEDED'],
    ['with a wrong password', 'planspan', 'wrong', 'AUTHENTICATION_FAILED'],
  ])('is rejected over the native protocol %s, and ClickHouse survives it', async (_, user, password, code) => {
    const one = (name: string, word: string) =>
      `SELECT * FROM remote('127.0.0.1:${nativePort}', system.one, '${name}', '${word}')`
    const started = 'SELECT toUInt32(now() - uptime())'
    const before = Number(await execute(writer, started))
    await expect(execute(writer, one(user, password))).rejects.toThrowError(code)
    expect(await execute(writer, one('planspan', writerPassword))).toBe('0\n')
    expect(Math.abs(Number(await execute(writer, started)) - before)).toBeLessThanOrEqual(1)
  })

  it('cannot end ClickHouse by disconnecting or by sending garbage', async () => {
    const { port } = new URL(writer)
    for (const target of [Number(port), nativePort]) {
      for (const bytes of ['POST / HT', 'GET / HTTP/1.1\r\n\r\n', '\0\u0001\u0002\u0003'.repeat(1000)]) {
        await hangUpAfter(target, bytes)
      }
    }
    expect(await execute(writer, 'SELECT 1')).toBe('1\n')
  })

  it('can reach it on loopback only', async () => {
    const { port } = new URL(writer)
    await expect(fetch(`http://127.0.0.2:${port}/ping`, { signal: AbortSignal.timeout(2000) })).rejects.toThrowError(
      /fetch failed|timeout/,
    )
  })
})

function hangUpAfter(port: number, bytes: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', reject)
    socket.once('close', () => resolve())
    socket.write(bytes, () => socket.resetAndDestroy())
  })
}
