import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

const EVENTS = ['SelectedParts', 'SelectedMarks', 'SelectedRows', 'SelectedBytes']

/**
 * Stands before a ClickHouse and counts what each query reads: parts, granules, rows, bytes. The embedded one keeps no
 * log of queries, so they go through one after the other, and the server's events tell.
 */
export async function countQueries(clickhouseUrl) {
  const { origin, username, password } = new URL(clickhouseUrl)
  const authorization = `Basic ${btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)}`
  const counted = []

  async function events() {
    const names = EVENTS.map((name) => `'${name}'`).join(', ')
    const query = `SELECT event, toFloat64(value) FROM system.events WHERE event IN (${names}) FORMAT JSONCompact`
    const response = await fetch(origin, { method: 'POST', headers: { authorization }, body: query })
    const values = new Map((await response.json()).data)
    return EVENTS.map((name) => values.get(name) ?? 0)
  }
  async function forward({ method, url, headers }, body) {
    const init = { method, headers: { authorization, 'content-type': headers['content-type'] ?? 'text/plain' } }
    const response = await fetch(origin + url, method === 'GET' ? init : { ...init, body })
    return { response, content: Buffer.from(await response.arrayBuffer()) }
  }
  const first = await events()
  // Asking for the events reads, too.
  const asking = minus(await events(), first)

  async function pass(request, body, answer) {
    const before = await events()
    const { response, content } = await forward(request, body)
    const read = minus(minus(await events(), before), asking)
    const tables = tablesOf(body.toString('latin1'))
    if (tables !== '') counted.push({ tables, read })
    const headers = [...response.headers].filter(([name]) => name === 'content-type' || name.startsWith('x-clickhouse'))
    answer.writeHead(response.status, Object.fromEntries(headers)).end(content)
  }
  let last = Promise.resolve()
  const server = createServer(async (request, answer) => {
    const body = await buffer(request)
    last = last.then(() => pass(request, body, answer)).catch((error) => answer.destroy(error))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://${username}:${password}@127.0.0.1:${server.address().port}`,
    /** The queries since the last call. */
    take: () => counted.splice(0),
    close: () => server.close(),
  }
}

const minus = (left, right) => left.map((value, at) => value - right[at])

/** A query is known by the tables that it names, in their order. */
const tablesOf = (text) =>
  [...new Set([...text.matchAll(/\b(?:FROM|JOIN) (?:\w+\.)?([a-z]\w*)\b(?!\()/g)].map(([, name]) => name))].join(', ')
