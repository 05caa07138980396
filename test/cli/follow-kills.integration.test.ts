import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { runCli, startServe, type Serving } from './run-cli.js'
import { startFollow } from './start-follow.js'

const LINE = readFileSync(new URL('../fixtures/review-log/plan_run_record.jsonl', import.meta.url), 'utf8')
const lineOf = (number: number): string =>
  `${JSON.stringify({ ...(JSON.parse(LINE) as object), question: `Question ${String(number)}?` })}\n`

const ROUNDS = 12
const PER_ROUND = 40

let data: string
let serving: Serving

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  serving = await startServe(['--data', join(data, 'store')])
})
afterAll(async () => {
  await serving.end('SIGTERM')
  rmSync(data, { recursive: true, force: true })
})

test(
  'killed at any time and restarted, follow continues without a gap or a repetition',
  { timeout: 180_000 },
  async () => {
    const path = join(data, 'plans.jsonl')
    const statePath = join(data, 'state.json')
    const args = [path, '--endpoint', serving.line.url, '--state', statePath]
    writeFileSync(path, '')
    const state = (): string => (existsSync(statePath) ? readFileSync(statePath, 'utf8') : '')
    for (let round = 0; round < ROUNDS; round++) {
      const before = state()
      const follow = startFollow(args)
      const lines = Array.from({ length: PER_ROUND }, (_, at) => lineOf(round * PER_ROUND + at)).join('')
      // A partial line is there when the process is killed, and its rest arrives after that.
      const half = Math.floor((lines.length * (round + 1)) / (ROUNDS + 1))
      appendFileSync(path, lines.slice(0, half))
      // In some rounds at the first record, in others when the state is written, or before anything is done.
      if (round % 3 === 0) await follow.until(({ event }) => event === 'imported')
      if (round % 3 === 1) while (state() === before) await new Promise(setImmediate)
      await follow.end('SIGKILL')
      appendFileSync(path, lines.slice(half))
    }
    expect((await runCli(['follow', ...args, '--once'])).code).toBe(0)
    expect((await runCli(['follow', ...args, '--once'])).out).toBe('0 plans: 0 records, 0 spans\n')
    const response = await fetch(`${serving.line.url}/api/records?limit=1000`)
    const { records } = (await response.json()) as { records: { planId: string }[] }
    expect(new Set(records.map(({ planId }) => planId)).size).toBe(ROUNDS * PER_ROUND)
    expect(records).toHaveLength(ROUNDS * PER_ROUND)
    const exported = await runCli(['export', '--exact', '--endpoint', serving.line.url])
    const texts = exported.out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { text: string }).text)
    expect(texts.toSorted()).toEqual(
      readFileSync(path, 'utf8')
        .split(/(?<=\n)/)
        .toSorted(),
    )
  },
)
