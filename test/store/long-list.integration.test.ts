import { afterAll, beforeAll, expect, it } from 'vitest'

import { readRows } from '../../src/store/client/query.js'
import { freshStore, type FreshStore } from './fresh-store.js'

let server: FreshStore

beforeAll(async () => {
  server = await freshStore()
})
afterAll(() => server.close())

const ODD = ["it's", 'a\\b', '{names:Array(String)}', '$&', 'ä\n', '', '\0']

it('keeps the boundaries of texts in lists', async () => {
  const { client, database } = server.store
  const [first, second] = ['{second:Array(String)}', "'), 1 --"].map((text) =>
    Array.from({ length: 5_000 }, (_, at) => `${text}${String(at)}`),
  ) as [string[], string[]]
  const rows = await readRows<{ first: string; second: string }>(
    { client, database, url: server.fresh.url },
    'SELECT pair.1 AS first, pair.2 AS second FROM (SELECT arrayJoin(arrayZip({first:Array(String)}, {second:Array(String)})) AS pair)',
    { first, second },
  )
  expect(rows).toEqual(first.map((text, at) => ({ first: text, second: second[at] })))
})

it.each([10, 1_000, 65_536])('filters by a list of any %i texts', async (count) => {
  const { client, database } = server.store
  const names = Array.from({ length: count }, (_, at) => `${ODD[at % ODD.length]!}${String(at)}`)
  const query = `SELECT name FROM (SELECT arrayJoin({names:Array(String)}) AS name)
    WHERE name IN {names:Array(String)} AND name != {other:String}`
  const rows = await readRows<{ name: string }>({ client, database, url: server.fresh.url }, query, {
    names,
    other: 'it',
  })
  expect(rows.map(({ name }) => name)).toEqual(names)
})
