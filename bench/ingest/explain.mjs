// Attributes the CPU time of a run: to the threads of a receiver, and to the queries and merges of ClickHouse.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const TICKS_PER_SECOND = 100
const LOGS = ['query_log', 'part_log']
const CPU = `ProfileEvents['UserTimeMicroseconds'] + ProfileEvents['SystemTimeMicroseconds']`

/** Configures a ClickHouse that has not started to log its queries and merges, which costs a little itself. */
export async function logQueries(dataDirectory) {
  const directory = join(dataDirectory, 'config.d')
  await mkdir(directory)
  const tables = LOGS.map((log) => `<${log}><database>system</database><table>${log}</table></${log}>`)
  await writeFile(join(directory, 'logs.xml'), `<clickhouse>${tables.join('')}</clickhouse>`)
}

/** The CPU seconds of each thread of a process so far, by its id. */
async function threadSeconds(pid) {
  const threads = new Map()
  for (const id of await readdir(`/proc/${pid}/task`)) {
    const stat = await readFile(`/proc/${pid}/task/${id}/stat`, 'latin1').catch(() => undefined)
    if (stat === undefined) continue
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
    threads.set(id, { name, seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND })
  }
  return threads
}

/** Begins to attribute; the returned function prints CPU seconds per million of `spans`. */
export async function explain(client, pid) {
  const since = (await rowsOf(client, 'SELECT toString(now64(6)) AS now'))[0].now
  const before = await threadSeconds(pid)
  return async (spans) => {
    const after = await threadSeconds(pid)
    const perMillion = (seconds) => Number(((seconds * 1e6) / spans).toFixed(1))
    const threads = [...after]
      .map(([id, { name, seconds }]) => ({
        thread: id === String(pid) ? 'main' : `${name} ${id}`,
        'CPU s/M spans': perMillion(seconds - (before.get(id)?.seconds ?? 0)),
      }))
      .filter((thread) => thread['CPU s/M spans'] > 0)
    console.table(threads.toSorted((a, b) => b['CPU s/M spans'] - a['CPU s/M spans']))
    await client.command({ query: 'SYSTEM FLUSH LOGS' })
    const queries = await rowsOf(
      client,
      `SELECT replaceRegexpAll(substring(trimLeft(replaceRegexpAll(any(query), '(?m)^--.*\\n', '')), 1, 90), '\\s+', ' ') AS query,
         count() AS times, sum(${CPU}) / 1e6 AS seconds, sum(written_rows) AS rows, avg(query_duration_ms) AS ms
       FROM system.query_log
       WHERE type != 'QueryStart' AND event_time_microseconds > '${since}'
       GROUP BY normalized_query_hash ORDER BY seconds DESC LIMIT 25
       UNION ALL
       SELECT concat('merge of ', table), count(), sum(${CPU}) / 1e6, sum(rows), avg(duration_ms)
       FROM system.part_log
       WHERE event_type = 'MergeParts' AND event_time_microseconds > '${since}' AND database != 'system'
       GROUP BY table`,
    )
    console.table(
      queries.map(({ query, times, seconds, rows, ms }) => ({
        query,
        times: Number(times),
        'CPU s/M spans': perMillion(seconds),
        'CPU ms each': Number(((seconds * 1000) / times).toFixed(1)),
        'written rows': Number(rows),
        'ms each': Math.round(ms),
      })),
    )
  }
}

async function rowsOf(client, query) {
  return (await client.query({ query, format: 'JSONEachRow' })).json()
}
