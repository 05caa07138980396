// 20 rules of all kinds over many stored plans, with `planspan check`.
// npm run build && node bench/check/run.mjs [--plans 10000]
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'

import { machine, table } from '../figures.mjs'
import { cpuSeconds, forgetPeak, peakMegabytes } from '../ingest/processes.mjs'
import { serve } from '../serve.mjs'
import { indexed } from '../settle.mjs'

const RULES = `rules:
  - { name: order, order: { action: 'issue_refund', after: 'query_erp' } }
  - { name: order of agents, order: { action: { agent: writer }, after: { agent: researcher } } }
  - { name: order of equal arguments, order: { action: file_write, after: info_search_web, same: [query] } }
  - { name: follow, follow: { action: browser_navigate, by: 'file*' } }
  - { name: forbid, forbid: [bash, 'shell*'] }
  - { name: forbid arguments, forbid: { tool: '*', arguments: { command: { matches: 'rm -rf' } } } }
  - { name: forbid after, forbid: { tool: browser_navigate, after: write_report } }
  - { name: require, require: { tool: '*search*', atMost: 5 } }
  - { name: require a step, require: { step: '*' } }
  - { name: allow, allow: { tool: ['*search*', 'read*'], agent: researcher } }
  - { name: tokens, budget: { tokens: 50000, inputTokens: 40000, outputTokens: 10000 } }
  - { name: cost, budget: { costUsd: 0.5 } }
  - { name: time and cycles, budget: { seconds: 600, cycles: 20, modelCalls: 20 } }
  - { name: calls, budget: { toolCalls: 20, identicalCalls: 2, errors: 0 } }
  - { name: review, review: { before: [issue_refund, 'shell*'] } }
  - { name: state, state: [completed, cancelled] }
  - { name: steps, steps: { done: '*', atMost: 10 } }
  - { name: risk, risk: { max: 0.7, unsafe: stopped, judged: pyautogui } }
  - { name: forbidden text, text: { in: [answer, results, replies], forbid: 'password|secret', ignoreCase: true } }
  - { name: required text, text: { in: answer, require: '\\w' } }
`

const { values: options } = parseArgs({ options: { plans: { type: 'string', default: '10000' } } })
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const directory = await mkdtemp(join(tmpdir(), 'planspan-bench-'))
const server = await serve(fileURLToPath(new URL('../..', import.meta.url)), ['--data', join(directory, 'data')])
const run = async (...args) => {
  const done = { maxBuffer: 1 << 30, env: { ...process.env, PLANSPAN_ENDPOINT: server.url } }
  // Broken rules exit with 1.
  return promisify(execFile)(process.execPath, [main, ...args], done).catch((error) => {
    if (error.code !== 1) throw error
    return error
  })
}
try {
  console.log(machine())
  await run('generate', '--plans', options.plans, '--seed', 'check')
  await indexed(server.url)
  await writeFile(join(directory, 'rules.yaml'), RULES)
  const results = []
  for (const [what, ...args] of [['text'], ['JSON and JUnit', '--json', '--junit', join(directory, 'check.xml')]]) {
    await forgetPeak(server.pid)
    const cpu = await cpuSeconds(server.pid)
    const started = performance.now()
    const { stderr } = await run('check', join(directory, 'rules.yaml'), ...args)
    const seconds = (performance.now() - started) / 1000
    results.push([
      what,
      seconds.toFixed(1),
      ((await cpuSeconds(server.pid)) - cpu).toFixed(1),
      await peakMegabytes(server.pid),
      stderr.trim(),
    ])
  }
  console.log(table(['20 rules', 's', 'CPU s of serve', 'peak MB of serve', 'result'], results))
} finally {
  await server.stop()
  await rm(directory, { recursive: true, force: true })
}
