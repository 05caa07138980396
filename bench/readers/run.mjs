// The memory of readers of one large plan: npm run build && node bench/readers/run.mjs [--spans 300000] [--readers
// 1,2,5,10,20] [--base DIRECTORY] With the directory of another checkout that is built, that one is measured, too. The
// last readers read nothing of their answer for ten seconds.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { machine } from '../figures.mjs'
import { forgetPeak, peakMegabytes } from '../ingest/processes.mjs'
import { livePlan } from '../large-records/records.mjs'
import { serve } from '../serve.mjs'

const { values: options } = parseArgs({
  options: {
    spans: { type: 'string', default: '300000' },
    readers: { type: 'string', default: '1,2,5,10,20' },
    base: { type: 'string' },
  },
})
const builds = {
  ...(options.base ? { base: options.base } : {}),
  'this build': fileURLToPath(new URL('../..', import.meta.url)),
}
const PATHS = {
  record: '/api/records/plan-bench',
  tree: '/api/records/plan-bench?fields=structure',
  'top of the page': '/api/records/plan-bench?fields=top',
  spans: '/api/records/plan-bench/spans',
  export: '/api/export?format=plan-execution',
}
const MAX_MS = 170_000

async function ask(url, readAfterMs) {
  const started = performance.now()
  const response = await fetch(url, { signal: AbortSignal.timeout(MAX_MS) })
  await delay(readAfterMs)
  for await (const _ of response.body) continue
  return { status: response.status, ms: performance.now() - started - readAfterMs }
}

async function measure(server, path, { readers, readAfterMs = 0 }) {
  await forgetPeak(server.pid)
  const answers = await Promise.all(
    Array.from({ length: readers }, () =>
      ask(server.url + path, readAfterMs).catch((error) => ({ status: error.name, ms: MAX_MS })),
    ),
  )
  const statuses = [...new Set(answers.map(({ status }) => status))]
  return {
    statuses: statuses
      .map((status) => `${answers.filter((one) => one.status === status).length} × ${status}`)
      .join(', '),
    'longest, s': (Math.max(...answers.map(({ ms }) => ms)) / 1000).toFixed(1),
    'peak MB': await peakMegabytes(server.pid),
  }
}

console.log(machine())
const results = []
for (const [build, directory] of Object.entries(builds)) {
  const data = await mkdtemp(join(tmpdir(), 'planspan-bench-'))
  const server = await serve(directory, ['--data', data])
  try {
    for (const body of livePlan(Number(options.spans))) {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${server.url}/v1/traces`, { method: 'POST', headers, body })
      if (answer.status !== 200) throw new Error(await answer.text())
    }
    await fetch(`${server.url}/api/records?limit=1`)
    await forgetPeak(server.pid)
    await delay(1000)
    results.push({ build, what: 'idle', 'peak MB': await peakMegabytes(server.pid) })
    for (const [what, path] of Object.entries(PATHS)) {
      for (const readers of options.readers.split(',').map(Number)) {
        results.push({ build, what, readers, ...(await measure(server, path, { readers })) })
      }
    }
    const slow = { readers: 20, readAfterMs: 10_000 }
    results.push({ build, what: 'tree, read late', readers: 20, ...(await measure(server, PATHS.tree, slow)) })
  } finally {
    await server.stop()
    await rm(data, { recursive: true, force: true })
  }
}
console.table(results)
