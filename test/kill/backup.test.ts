import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { MAIN, runCli, startServe } from '../cli/run-cli.js'
import { execute } from '../support/clickhouse.js'
import { startBulkSenders } from './bulk-senders.js'
import { EnduranceServer, type Victim } from './endurance-server.js'

const rounds = Number(process.env['PLANSPAN_KILL_ROUNDS'])
const VICTIMS = ['backup', 'serve', 'clickhouse', 'restore'] as const
/** The approximate duration of such a small backup or restore, in milliseconds. */
const SPREAD_MS = 2500

let root: string
let server: EnduranceServer

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'planspan-kill-'))
  server = await EnduranceServer.start(join(root, 'data'))
})
afterAll(async () => {
  await server.stop()
  rmSync(root, { recursive: true, force: true })
})

const backupOf = (file: string) => ['backup', file, '--data', join(root, 'data'), '--json']
const spansIn = async (url: string, service: string): Promise<number> =>
  Number(await execute(url, `SELECT uniqExact(TraceId, SpanId) FROM otel.spans WHERE ServiceName = '${service}'`))

/** Starts a command, disturbs it at a random moment, and returns how it ended. */
async function interrupted(args: readonly string[], interrupt: (kill: () => void) => Promise<unknown>) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await setTimeout(Math.random() * SPREAD_MS)
  await interrupt(() => child.kill('SIGKILL'))
  const [code] = (await ended) as [number | null]
  return code
}

it.each(Array.from({ length: rounds }, (_, index) => ({ round: index + 1, victim: VICTIMS[index % 4]! })))(
  'round $round: after kill -9 of $victim, a backup and its restore contain everything acknowledged',
  async ({ round, victim }) => {
    const [service, file, target] = [`backup-${round}`, join(root, `${round}.tar`), join(root, `restored-${round}`)]
    const bulk = startBulkSenders(server.line, round, service)
    if (victim !== 'restore') {
      const code = await interrupted(backupOf(file), async (kill) => {
        if (victim === 'backup') kill()
        else await server.kill(victim satisfies Victim)
      })
      // An existing file is complete, however the backup ended.
      if (existsSync(file)) expect(await runCli(['restore', file, '--check'])).toMatchObject({ code: 0 })
      else expect(code).not.toBe(0)
      rmSync(file, { force: true })
    }
    const before = bulk.acknowledged()
    expect(await runCli(backupOf(file))).toMatchObject({ code: 0, err: '' })
    await bulk.stop()
    expect(readdirSync(join(root, 'data/store/shadow'))).toEqual(['increment.txt'])
    expect(existsSync(`${file}.partial`)).toBe(false)

    const restore = ['restore', file, '--data', target]
    const code = victim === 'restore' ? await interrupted(restore, async (kill) => kill()) : null
    if (code !== 0) expect(await runCli(restore)).toMatchObject({ code: 0, err: '' })
    expect(existsSync(join(target, 'restoring'))).toBe(false)
    const restored = await startServe(['--data', target])
    expect(await spansIn(restored.clickhouse.url, service)).toBeGreaterThanOrEqual(before)
    await restored.end('SIGTERM')
    expect(await spansIn(server.clickhouseUrl, service)).toBeGreaterThanOrEqual(bulk.acknowledged())
    for (const path of [file, target]) rmSync(path, { recursive: true })
  },
)
