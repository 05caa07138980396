// All records of the store as /api/export gives them, beside the bare rows that they are made of, both thrown away.
import { readFileSync } from 'node:fs'

import { forgetPeak, peakMegabytes } from '../ingest/processes.mjs'
import { table } from '../figures.mjs'

const COLUMNS = new URL('../../dist/store/fragments/span_row.sql', import.meta.url)

const WHOLE = {
  resource: 'ResourceAttributes',
  attributes: 'SpanAttributes',
  times: '`Events.Timestamp`',
  names: '`Events.Name`',
  details: '`Events.Attributes`',
}

/** The columns that a record is made of, for all spans, each once. */
const bareSelect = () => {
  const columns = readFileSync(COLUMNS, 'utf8').replaceAll(/\$\{(\w+)\}/g, (_, name) => WHOLE[name])
  return `SELECT ${columns} FROM otel_traces LIMIT 1 BY TraceId, SpanId`
}

export async function measureExport(builds) {
  const rows = []
  for (const build of builds) {
    const [{ spans }] = await build.rows('SELECT toFloat64(uniqExact(TraceId, SpanId)) AS spans FROM otel_traces')
    const bare = await timed(build, async () => {
      const answer = await build.client.exec({ query: `${bareSelect()}\nFORMAT JSONCompactEachRow` })
      for await (const _ of answer.stream);
    })
    await forgetPeak(build.server.pid)
    let bytes = 0
    const exported = await timed(build, async () => {
      const answer = await fetch(`${build.url}/api/export`)
      if (!answer.ok) throw new Error(`${build.name} answers ${answer.status} to /api/export`)
      for await (const piece of answer.body) bytes += piece.length
    })
    rows.push([
      build.name,
      perSecond(spans, bare.seconds),
      perSecond(spans, exported.seconds),
      (bare.seconds / exported.seconds).toFixed(2),
      `${((exported.cpu / spans) * 1e6).toFixed(0)} µs`,
      `${(bytes / 1e6).toFixed(0)} MB`,
      `${await peakMegabytes(build.server.pid)} MB`,
    ])
  }
  const head = ['build', 'rows alone, spans/s', 'export, spans/s', 'ratio', 'CPU a span', 'written', 'peak of serve']
  return table(head, rows)
}

async function timed(build, work) {
  const before = { wall: performance.now(), cpu: (await build.processorMs()) / 1000 }
  await work()
  return { seconds: (performance.now() - before.wall) / 1000, cpu: (await build.processorMs()) / 1000 - before.cpu }
}

const perSecond = (spans, seconds) => Math.round(spans / seconds).toLocaleString('en')
