// How long a command of the command line takes on top of Node's own start: list and show of a server with 300 plans,
// and how much of it the server takes.
// npm run build && node bench/cli/run.mjs [--rounds 15]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { machine, quantile, table } from '../figures.mjs'
import { serve } from '../serve.mjs'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } })
const MAX_MILLIS_ON_TOP = 150
const root = join(import.meta.dirname, '../..')
const main = join(root, 'dist/cli/main.js')

const data = mkdtempSync(join(tmpdir(), 'planspan-cli-'))
const server = await serve(root, ['--data', data])
try {
  const to = ['--endpoint', server.url]
  run([main, 'generate', '--plans', '300', ...to])
  const { planId } = JSON.parse(run([main, 'list', '--json', '--limit', '1', ...to]))
  const commands = {
    'node -e 0': ['-e', '0'],
    'planspan --help': [main, '--help'],
    'planspan list': [main, 'list', ...to],
    'planspan show': [main, 'show', planId, ...to],
  }
  /** @type {Record<string, number[]>} */
  const millis = Object.fromEntries(Object.keys(commands).map((name) => [name, []]))
  /** @type {number[]} */
  const answers = []
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, args] of Object.entries(commands)) {
      const began = performance.now()
      run(args)
      millis[name]?.push(performance.now() - began)
    }
    const began = performance.now()
    await (await fetch(`${server.url}/api/records?limit=50`)).text()
    answers.push(performance.now() - began)
  }
  const rows = Object.entries(millis).map(([name, all]) => {
    const onTop = quantile(
      all.map((each, at) => each - (millis['node -e 0']?.[at] ?? Number.NaN)),
      0.5,
    )
    return { cells: [name, Math.round(quantile(all, 0.5)), Math.round(onTop)], isMet: onTop <= MAX_MILLIS_ON_TOP }
  })
  console.log(
    `${machine()}, Node ${process.version}, medians of ${values.rounds}, aim ${MAX_MILLIS_ON_TOP} ms on top\n`,
  )
  console.log(
    table(
      ['', 'ms', 'on top of Node'],
      rows.map(({ cells }) => cells),
    ),
  )
  console.log(`\nThe answer to list takes ${Math.round(quantile(answers, 0.5))} ms of the server.`)
  process.exitCode = rows.every(({ isMet }) => isMet) ? 0 : 1
} finally {
  await server.stop()
  rmSync(data, { recursive: true, force: true })
}

/** @param {string[]} args @returns {string} What it printed. */
function run(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}
