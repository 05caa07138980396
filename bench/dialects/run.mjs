// Encode, decode and the plain JSON round trip of each dialect's sample; in over HTTP and back from ClickHouse,
// compared; and what a long file takes in memory. npm run build && node bench/dialects/run.mjs [--seconds 1]
// [--megabytes 500]
import { spawnSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { decodeRecord, encodeRecords, toStoredSpan } from '../../dist/mapping/index.js'
import { startServer } from '../../dist/server/index.js'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '1' }, megabytes: { type: 'string', default: '500' } },
})
const fixture = (path) => fileURLToPath(new URL(`../../test/fixtures/${path}`, import.meta.url))

const SAMPLES = {
  'plan-execution': 'lynxe/agent-execution-detail.json',
  trajectory: 'trajectory/execution_trajectory.json',
  'trajectory:traj': 'trajectory/traj.jsonl',
  'review-log': 'review-log/plan_run_record.jsonl',
  'plan-act:events': 'plan-act/default-mock/redis_output_stream.jsonl',
  'plan-act:sse': 'plan-act/default-mock/chat.sse',
  'plan-act:session': 'plan-act/default-mock/get_session.json',
  atif: 'atif/harbor.json',
}

/** How often a function runs in a second, after a warm-up. */
function rate(work) {
  const limit = Number(values.seconds) * 1000
  const warm = performance.now() + limit / 4
  while (performance.now() < warm) work()
  let runs = 0
  const began = performance.now()
  while (performance.now() - began < limit) {
    work()
    runs++
  }
  return (runs * 1000) / (performance.now() - began)
}

console.log(
  `${cpus()[0].model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`,
)
const rows = Object.entries(SAMPLES).map(([dialect, path]) => {
  const bytes = readFileSync(fixture(path))
  const text = bytes.toString()
  const documents =
    dialect === 'plan-act:sse'
      ? [...text.matchAll(/^data: (.*?)\r?$/gm)].map(([, data]) => data)
      : path.endsWith('jsonl')
        ? text.trim().split('\n')
        : [text]
  const encoded = [...encodeRecords(bytes)]
  const rowsOf = encoded.map(({ spans }) => spans.map(toStoredSpan))
  if (encoded.some(({ text: record }, index) => decodeRecord(rowsOf[index])?.text !== record))
    throw new Error(`${path} is not identical`)
  const encode = rate(() => [...encodeRecords(bytes)])
  const decode = rate(() => rowsOf.map((spans) => decodeRecord(spans)))
  const plain = rate(() => documents.map((document) => JSON.stringify(JSON.parse(document))))
  const megabytes = bytes.length / 1e6
  return {
    dialect,
    'kB a file': (bytes.length / 1000).toFixed(1),
    spans: rowsOf.flat().length,
    'encode, files/s': encode.toFixed(0),
    'MB/s': (encode * megabytes).toFixed(2),
    'decode, files/s': decode.toFixed(0),
    'MB/s ': (decode * megabytes).toFixed(2),
    'JSON.parse and stringify, times faster than both': (plain * (1 / encode + 1 / decode)).toFixed(0),
  }
})
console.table(rows)

const directory = mkdtempSync(join(tmpdir(), 'planspan-bench-'))
const server = await startServer({ dataDirectory: join(directory, 'data'), port: 0 })
try {
  const verified = []
  for (const [dialect, path] of Object.entries(SAMPLES))
    verified.push(await verify(dialect, readFileSync(fixture(path))))
  console.table(verified)
} finally {
  await server.close()
}

/** Imports a file again and again, each time from a source of its own, and reads each copy back. */
async function verify(dialect, bytes) {
  const text = bytes.toString()
  const began = performance.now()
  let records = 0
  for (; performance.now() - began < Number(values.seconds) * 2000; records++) {
    const sent = await fetch(`${server.url}/api/records?source=${records}`, { method: 'POST', body: bytes })
    const { records: stored } = await sent.json()
    const read = await fetch(`${server.url}/api/records/${encodeURIComponent(stored[0].planId)}?source=${records}`)
    if ((await read.text()) !== text) throw new Error(`${dialect} is not identical`)
  }
  const perSecond = (records * 1000) / (performance.now() - began)
  return { dialect, 'verified, records/s': perSecond.toFixed(1), 'MB/s': ((perSecond * bytes.length) / 1e6).toFixed(2) }
}

try {
  const path = join(directory, 'plans.jsonl')
  const line = readFileSync(fixture(SAMPLES['review-log']), 'utf8').trim()
  const file = createWriteStream(path)
  const size = Number(values.megabytes) * 1e6
  for (let written = 0, number = 0; written < size; number++) {
    const record = `${line.replace('"locale"', `"run": ${number}, "locale"`)}\n`
    written += Buffer.byteLength(record)
    if (!file.write(record)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'close')
  const began = performance.now()
  const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
  const peak = `process.on('exit', () => console.error('peak', process.resourceUsage().maxRSS))`
  const hook = `data:text/javascript,${encodeURIComponent(peak)}`
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', hook, cli, 'validate', path], {
    encoding: 'utf8',
  })
  const seconds = (performance.now() - began) / 1000
  const kilobytes = Number(/peak (\d+)/.exec(stderr)?.[1])
  console.log(stdout.trim().replace(path, `${values.megabytes} MB of JSON lines`))
  console.log(
    `validate: ${seconds.toFixed(1)} s, ${(size / 1e6 / seconds).toFixed(1)} MB/s, peak memory ${(kilobytes / 1024).toFixed(0)} MB (aim: under 300)`,
  )
} finally {
  rmSync(directory, { recursive: true, force: true })
}
