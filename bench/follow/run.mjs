// What following costs a Lynxe server, beside what Lynxe's own page asks of it: npm run build && node
// bench/follow/run.mjs [--seconds 30] [--plans 1000] [--running 10] The server is a stand-in that answers what Lynxe
// answered; its requests are those of a real one, its CPU time is not.
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { machine, table } from '../figures.mjs'
import { cpuSeconds } from '../ingest/processes.mjs'
import { serve } from '../serve.mjs'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    plans: { type: 'string', default: '1000' },
    running: { type: 'string', default: '10' },
  },
})
const seconds = Number(options.seconds)
const BUILD = fileURLToPath(new URL('../..', import.meta.url))
const CLI = join(BUILD, 'dist/cli/main.js')
/** Lynxe's page asks so often for each plan that it shows, and its list of conversations so often when it is open. */
const PAGE_MS = 1_000
const LIST_MS = 3_000

/** Lynxe's page, as its usePlanExecution.ts and memory.ts poll. */
function page(url, planIds) {
  const get = async (path) => (await fetch(url + path)).text()
  const polling = setInterval(() => {
    for (const id of planIds) void get(`/api/executor/details/${id}`)
  }, PAGE_MS)
  const listing = setInterval(() => void get('/api/memories'), LIST_MS)
  return {
    pid: undefined,
    async stop() {
      clearInterval(polling)
      clearInterval(listing)
    },
  }
}

function follow(url, endpoint, state) {
  const child = spawn(process.execPath, [CLI, 'follow', url, '--endpoint', endpoint, '--state', state, '--json'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return {
    pid: child.pid,
    async stop() {
      const ended = once(child, 'close')
      child.kill('SIGINT')
      await ended
    },
  }
}

const directory = await mkdtemp(join(tmpdir(), 'planspan-bench-'))
const planspan = await serve(BUILD, ['--data', join(directory, 'data')])
const lynxe = fork(fileURLToPath(new URL('lynxe.mjs', import.meta.url)), [options.plans, options.running])
const [{ url }] = await once(lynxe, 'message')
const asked = async () => {
  lynxe.send('how much')
  const [{ requests }] = await once(lynxe, 'message')
  return requests
}
const shown = Array.from({ length: Number(options.running) }, (_, n) => `plan-${n}`)

const rows = []
async function measure(name, watcher) {
  await asked()
  const pids = [lynxe.pid, ...(watcher.pid === undefined ? [] : [watcher.pid])]
  const before = await Promise.all(pids.map(cpuSeconds))
  await setTimeout(seconds * 1000)
  const after = await Promise.all(pids.map(cpuSeconds))
  const requests = await asked()
  const [server, own] = after.map((value, at) => (((value - before[at]) / seconds) * 100).toFixed(1))
  const perSecond = (part) => (requests.filter((path) => path.includes(part)).length / seconds).toFixed(1)
  rows.push([
    name,
    (requests.length / seconds).toFixed(1),
    perSecond('/details/'),
    perSecond('/agent-execution/'),
    perSecond('/memories'),
    `${server} %`,
    own === undefined ? '-' : `${own} %`,
  ])
  await watcher.stop()
}

try {
  const state = join(directory, 'state.json')
  const started = performance.now()
  const catchingUp = spawn(
    process.execPath,
    [CLI, 'follow', url, '--endpoint', planspan.url, '--state', state, '--once'],
    {
      stdio: ['ignore', 'ignore', 'ignore'],
    },
  )
  await once(catchingUp, 'close')
  const took = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${machine()}; ${options.plans} plans, of which ${options.running} run; ${seconds} s each\n`)
  console.log(`All plans for the first time: ${(await asked()).length} requests, one after the other, in ${took} s\n`)
  await measure('nobody', page(url, []))
  await measure('a page that shows one plan', page(url, shown.slice(0, 1)))
  await measure('a page that shows all that run', page(url, shown))
  const following = follow(url, planspan.url, state)
  await setTimeout(3_000)
  await measure('planspan follow', following)
  const head = ['asks', 'requests/s', 'details', 'agents', 'lists', 'CPU of the server', 'own CPU']
  console.log(table(head, rows))
} finally {
  lynxe.disconnect()
  await planspan.stop()
  await rm(directory, { recursive: true, force: true })
}
