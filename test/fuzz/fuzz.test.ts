import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'

import { startServe, type Serving } from '../cli/run-cli.js'
import { makeRecords, requestOf } from '../collector/load.js'
import { sendHttp } from '../collector/send.js'
import { readRecord } from '../collector/two-roads.js'
import { Clients } from './answers.js'
import { describeInput, misbehaviour } from './expectations.js'
import { input, type Input } from './inputs.js'
import { unreadable } from './read-back.js'

const seconds = Number(process.env['PLANSPAN_FUZZ_SECONDS'])
const firstSeed = Number(process.env['PLANSPAN_FUZZ_SEED'])
const INPUTS_A_GROUP = 12
const NEIGHBOUR_MS = 60_000
const RETRY_MS = 200
const MOST_FINDINGS = 20

it('responds to any input as documented, keeps what it acknowledges, and serves other clients meanwhile', async () => {
  const data = mkdtempSync(join(tmpdir(), 'planspan-fuzz-'))
  const serving = await startServe(['--data', data, '--grpc-port', '0', '--jaeger-port', '0'])
  const clients = new Clients(serving.line)
  const findings: string[] = []
  const counts = { inputs: 0, acknowledged: 0, refused: 0, groups: 0 }
  const until = performance.now() + seconds * 1_000
  try {
    for (let seed = firstSeed; performance.now() < until && findings.length < MOST_FINDINGS; seed++) {
      const found = await playGroup(serving, clients, seed, counts)
      findings.push(...found.map((what) => `--seed ${seed}: ${what}`))
      counts.groups++
    }
  } finally {
    clients.close()
    await serving.end('SIGTERM')
    rmSync(data, { recursive: true, force: true })
    process.stdout.write(
      `${counts.inputs} inputs in ${counts.groups} groups, seeds from ${firstSeed}: ${counts.acknowledged} acknowledged, ` +
        `${counts.refused} refused, ${findings.length} answered wrongly\n`,
    )
  }
  expect(findings).toEqual([])
  expect(Math.min(counts.acknowledged, counts.refused)).toBeGreaterThan(0)
})

function isTaken(error: Error): false {
  if (error.message.startsWith('503 ')) return false
  throw error
}

/** Sends some inputs concurrently, with another client's record among them; returns the problems in words. */
async function playGroup(
  { line, clickhouse }: Serving,
  clients: Clients,
  seed: number,
  counts: { inputs: number; acknowledged: number; refused: number },
): Promise<string[]> {
  const play = async (input: Input): Promise<string[]> => {
    try {
      const answer = await clients.send(input)
      counts.inputs++
      counts[answer.code === 200 || answer.code === 0 ? 'acknowledged' : 'refused']++
      const wrong = misbehaviour(input, answer)
      if (wrong !== undefined) return [wrong]
      return await unreadable(clients, clickhouse.url, input, answer)
    } catch (error) {
      return [`not answered: ${String(error)}`]
    }
  }
  const inputs = fc.sample(input, { seed, numRuns: INPUTS_A_GROUP })
  const [neighbour] = makeRecords(`neighbour-${seed}`, 1)
  const [served, ...played] = await Promise.all([
    serveNeighbour(line.url, neighbour!),
    ...inputs.map(async (each) => (await play(each)).map((wrong) => `${describeInput(each)}: ${wrong}`)),
  ])
  return [...served, ...played.flat()]
}

async function serveNeighbour(url: string, { spans, planId, text }: ReturnType<typeof makeRecords>[number]) {
  const signal = AbortSignal.timeout(NEIGHBOUR_MS)
  const send = () => sendHttp(url, requestOf(spans), { type: 'application/x-protobuf', signal })
  try {
    // Repeats throttled requests, as exporters do.
    while (!(await send().then(() => true, isTaken))) await setTimeout(RETRY_MS, undefined, { signal })
    const read = await readRecord({ url }, planId)
    return read.text === text ? [] : [`a neighbour's record is ${read.status}: ${read.text.slice(0, 200)}`]
  } catch (error) {
    return [`a neighbour is not served: ${String(error)}`]
  }
}
