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
