// The disk that each table takes; with `stock` beside the collector's table alone with the same spans.
import { readFileSync } from 'node:fs'

import { table } from '../figures.mjs'
import { number, settle } from '../settle.mjs'

const STOCK = 'bench_stock'
const DDL = new URL('../../test/fixtures/collector-schema/generation-1.sql', import.meta.url)
const stockTable = () => readFileSync(DDL, 'utf8').split(';')[0]

export async function measureDisk(builds, { stock }) {
  const sizes = new Map()
  for (const build of builds) sizes.set(build, await tablesOf(build, build.database))
  const names = [...new Set([...sizes.values()].flatMap((tables) => [...tables.keys()]))]
  const rows = names.map((name) => [name, ...builds.map((build) => inWords(sizes.get(build).get(name)))])
  const sum = (build) => [...sizes.get(build).values()].reduce((total, { bytes }) => total + bytes, 0)
  rows.push(['all of them', ...builds.map((build) => megabytes(sum(build)))])
  if (stock) {
    const [build] = builds
    const { bytes, parts } = await stockOf(build)
    rows.push(['the stock table alone', inWords({ bytes, parts }), ...builds.slice(1).map(() => '')])
    rows.push(['all of them / the stock table', ...builds.map((build) => (sum(build) / bytes).toFixed(2))])
  }
  const [{ name: first }] = builds
  const spans = await number(builds[0].client, 'SELECT count() FROM otel_traces')
  return `${spans} rows of otel_traces (${first})\n\n${table(['table: MB (parts)', ...builds.map(({ name }) => name)], rows)}`
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(1)
const inWords = (size) => (size ? `${megabytes(size.bytes)} (${size.parts})` : '–')

async function tablesOf(build, database) {
  const rows = await build.rows(
    `SELECT table, toFloat64(sum(bytes_on_disk)) AS bytes, toUInt32(count()) AS parts FROM system.parts
     WHERE active AND database = '${database}' AND rows > 0 GROUP BY table ORDER BY bytes DESC`,
  )
  return new Map(rows.map(({ table, ...size }) => [table, size]))
}

async function stockOf(build) {
  const { client, database } = build
  await client.command({ query: `DROP DATABASE IF EXISTS ${STOCK} SYNC` })
  await client.command({ query: `CREATE DATABASE ${STOCK}` })
  await client.command({ query: stockTable().replaceAll('${database}', STOCK) })
  const columns = await build.rows(
    `SELECT name FROM system.columns WHERE database = '${STOCK}' AND table = 'otel_traces' AND default_kind = ''`,
  )
  const names = columns.map(({ name }) => `\`${name}\``).join(', ')
  await client.command({
    query: `INSERT INTO ${STOCK}.otel_traces (${names}) SELECT ${names} FROM ${database}.otel_traces`,
    clickhouse_settings: { max_partitions_per_insert_block: '0' },
  })
  await settle(client, STOCK)
  const tables = await tablesOf(build, STOCK)
  await client.command({ query: `DROP DATABASE ${STOCK} SYNC` })
  return tables.get('otel_traces')
}
