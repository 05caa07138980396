import { setTimeout as delay } from 'node:timers/promises'

/** The one number that a query answers. */
export async function number(client, query) {
  const rows = await (await client.query({ query, format: 'JSONEachRow' })).json()
  return Number(Object.values(rows[0])[0])
}

export async function until(what, condition, limitMs = 120_000) {
  const deadline = Date.now() + limitMs
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Waited ${limitMs / 1000} s in vain: ${what}`)
    await delay(50)
  }
}

/** Waits until ClickHouse has merged nothing for a second. */
export async function settle(client, database, limitMs) {
  let quietSince = Date.now()
  await until(
    'merges end',
    async () => {
      const merging = await number(client, `SELECT count() FROM system.merges WHERE database = '${database}'`)
      if (merging > 0) quietSince = Date.now()
      return Date.now() - quietSince > 1000
    },
    limitMs,
  )
}

/** Waits until a server has indexed all spans that it stored: it looks for new parts once a second. */
export async function indexed(url, limitMs) {
  let quiet = 0
  await until(
    'all spans are indexed',
    async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text()
      quiet = /^planspan_indexer_pending_rows (\d+)/m.exec(metrics)?.[1] === '0' ? quiet + 1 : 0
      return quiet > 40
    },
    limitMs,
  )
}
