import { afterAll, beforeAll, expect, it } from 'vitest'

import { streamFile } from '../../src/store/client/query.js'
import { freshStore, type FreshStore } from './fresh-store.js'

let server: FreshStore

beforeAll(async () => {
  server = await freshStore()
})
afterAll(() => server.close())

async function bytesOf(query: string): Promise<Uint8Array> {
  const { client, database } = server.store
  const pieces: Uint8Array[] = []
  const target = { client, database, url: server.fresh.url }
  for await (const piece of streamFile(target, query, {})) pieces.push(piece)
  return new Uint8Array(Buffer.concat(pieces))
}

const NUMBERS = 3_000_000

it('returns a file unchanged, however it is split into chunks', async () => {
  const bytes = await bytesOf(`SELECT number FROM numbers(${String(NUMBERS)}) FORMAT RowBinary`)
  const numbers = new BigUint64Array(NUMBERS)
  for (let at = 0; at < NUMBERS; at++) numbers[at] = BigInt(at)
  expect(Buffer.compare(bytes, Buffer.from(numbers.buffer))).toBe(0)
  expect(await bytesOf('SELECT 1::UInt8 FORMAT RowBinary')).toEqual(Uint8Array.of(1))
  expect(await bytesOf('SELECT 1 WHERE false FORMAT RowBinary')).toEqual(Uint8Array.of())
})

it.each([
  ['before it answers', 'SELECT throwIf(1) FORMAT RowBinary'],
  [
    'while it answers',
    `SELECT throwIf(number = ${String(NUMBERS)}, 'broken on purpose') FROM numbers(${String(2 * NUMBERS)}) FORMAT RowBinary SETTINGS max_block_size = 1000`,
  ],
])('throws where the query fails %s', async (_, query) => {
  await expect(bytesOf(query)).rejects.toThrow(/throwIf|broken on purpose/)
})
