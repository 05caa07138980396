import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

import { freshStore, type FreshStore } from '../store/fresh-store.js'
import { insertSpans, NOON } from '../store/spans.js'
import { ALERT_RULES, type Instance, instancesAt } from './alert-rules.js'
import { RISKS, spansOf, type Story, WAITS } from './alert-stories.js'

describe.each([
  ['planspan-unsafe-action-taken', RISKS],
  ['planspan-long-waits', WAITS],
])('%s', (alert, stories) => {
  const { query, summary } = ALERT_RULES.find(({ uid }) => uid === alert)!
  let server: FreshStore
  let found: readonly Instance[]
  beforeAll(async () => {
    server = await freshStore()
    const { client, database } = server.store
    await insertSpans(
      client,
      database,
      Object.entries(stories).flatMap(([name, story]) => spansOf(name, story)),
    )
    await server.index()
    found = await instancesAt(NOON, query, { url: inject('clickhouseReaderUrl'), database })
  })
  afterAll(() => server.close())

  const table: [string, Story][] = Object.entries(stories)

  test.each(table)('%s', (name, { fires }) => {
    const own = found.filter(({ labels }) => labels['Service'] === name)
    expect(own.map(({ value }) => value)).toEqual(fires ? [1] : [])
    expect(own.map(({ labels }) => labels['Plan'])).toEqual(fires ? [expect.stringMatching(/./)] : [])
  })

  test('the text needs only labels that the query returns, none of them empty', () => {
    const labels = [...summary.matchAll(/\.Labels\.(\w+)/g)].map(([, name]) => name!)
    for (const instance of found) expect(labels.filter((label) => !instance.labels[label])).toEqual([])
  })
})
