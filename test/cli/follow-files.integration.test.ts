import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { runCli, startServe, type Serving } from './run-cli.js'
import { startFollow } from './start-follow.js'

const fixture = (path: string): string => readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'utf8')

/** A planner run, one line. */
const line = (question: string): string =>
  `${JSON.stringify({ ...(JSON.parse(fixture('review-log/plan_run_record.jsonl')) as object), question })}\n`

interface Trajectory {
  readonly steps: readonly object[]
  readonly task_metadata: object
}
const TRAJECTORY = JSON.parse(fixture('trajectory/execution_trajectory.json')) as Trajectory

/** SafePred's file after the given number of steps. */
const afterSteps = (count: number): string =>
  JSON.stringify(
    { steps: TRAJECTORY.steps.slice(0, count), task_metadata: { ...TRAJECTORY.task_metadata, task_id: directory } },
    undefined,
    2,
  )

let data: string
let serving: Serving
let directory: string

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  serving = await startServe(['--data', join(data, 'store')])
})
afterAll(async () => {
  await serving.end('SIGTERM')
  rmSync(data, { recursive: true, force: true })
})
beforeEach(() => {
  directory = mkdtempSync(join(data, 'followed-'))
})

/** Follows with a separate source, by which the list shows the imported records. */
const following = (path: string, ...more: string[]) => [
  path,
  '--source',
  directory,
  '--endpoint',
  serving.line.url,
  '--state',
  `${directory}.json`,
  ...more,
]

interface Listed {
  readonly planId: string
  readonly state: string
  readonly title: string | null
}

async function listed(): Promise<Listed[]> {
  const response = await fetch(`${serving.line.url}/api/records?source=${encodeURIComponent(directory)}&limit=1000`)
  return ((await response.json()) as { records: Listed[] }).records
}

/** The texts of all records, as they are imported. */
async function texts(): Promise<string[]> {
  const read = async ({ planId }: Listed) => {
    const query = new URLSearchParams({ source: directory })
    return (await fetch(`${serving.line.url}/api/records/${encodeURIComponent(planId)}?${query}`)).text()
  }
  return (await Promise.all((await listed()).map(read))).sort()
}

describe('planspan follow of a file that is appended to', () => {
  test('imports whole lines as they arrive, and waits for the rest of a partial line', async () => {
    const path = join(directory, 'plans.jsonl')
    const lines = ['one', 'two', 'three', 'three'].map(line)
    writeFileSync(path, lines[0]! + lines[1]!.slice(0, 700))
    const follow = startFollow(following(path))
    await follow.until(({ event }) => event === 'imported')
    appendFileSync(path, lines[1]!.slice(700))
    const second = await follow.until((event) => event.event === 'imported' && event !== follow.events[0])
    appendFileSync(path, lines[2]! + lines[3]!)
    await follow.until((event) => follow.events.indexOf(event) > follow.events.indexOf(second) + 1)
    expect(await follow.end()).toBe(0)
    expect(follow.events.at(-1)).toMatchObject({ event: 'ended', records: 4, refused: 0 })
    expect(await texts()).toEqual(lines.toSorted())
    // Equal lines have the same ids as in an import of the whole file.
    expect((await runCli(['import', ...following(path).slice(0, 5)])).code).toBe(0)
    expect(await listed()).toHaveLength(4)
  })

  test('continues where it ended, also in a file that was rotated or rewritten meanwhile', async () => {
    const path = join(directory, 'plans.jsonl')
    const once = async () => (await runCli(['follow', ...following(path, '--once')])).out
    writeFileSync(path, line('one') + line('two'))
    expect(await once()).toBe('2 plans: 2 records, 8 spans\n')
    appendFileSync(path, line('two'))
    expect(await once()).toBe('1 plan: 1 record, 4 spans\n')
    appendFileSync(path, line('three'))
    renameSync(path, `${path}.1`)
    writeFileSync(path, line('four'))
    expect(await once()).toBe('2 plans: 2 records, 8 spans\n')
    writeFileSync(path, `${line('five')}{"no record": `)
    const cut = await runCli(['follow', ...following(path, '--once')])
    expect(cut).toMatchObject({ code: 2, out: '1 plan: 1 record, 4 spans, 1 refused\n' })
    expect(cut.err).toMatch(/plans\.jsonl, line 2: refused: Not JSON/)
    expect(await texts()).toEqual(['one', 'two', 'two', 'three', 'four', 'five'].map(line).toSorted())
  })

  test('reports once that the file is missing, and continues when it is back', async () => {
    const path = join(directory, 'plans.jsonl')
    const follow = startFollow(following(path))
    await follow.until(({ event }) => event === 'source_away')
    writeFileSync(path, line('one'))
    await follow.until(({ event }) => event === 'imported')
    await follow.until(({ event }) => event === 'source_back')
    expect(follow.events.filter(({ event }) => event === 'source_away')).toHaveLength(1)
    expect(await follow.end()).toBe(0)
    const { code, err } = await runCli([
      'follow',
      ...following(join(directory, 'none'), '--once', '--state', `${path}.json`),
    ])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/none cannot be read: ENOENT/) })
  })
})

describe('planspan follow of a directory', () => {
  test('imports each version of a growing trajectory', async () => {
    const path = join(directory, 'run', 'execution_trajectory.json')
    const follow = startFollow(following(directory))
    mkdirSync(join(directory, 'run'))
    writeFileSync(path, afterSteps(1).slice(0, 300))
    writeFileSync(join(directory, 'run', 'result.json'), '{"score": 1}')
    symlinkSync('..', join(directory, 'run', 'up'))
    symlinkSync('execution_trajectory.json', join(directory, 'run', 'same.json'))
    writeFileSync(path, afterSteps(1))
    await follow.until(({ event }) => event === 'imported')
    expect(await listed()).toMatchObject([{ state: 'running' }])
    expect(await texts()).toEqual([afterSteps(1)])
    writeFileSync(path, afterSteps(2))
    await follow.until((event) => event.event === 'imported' && event !== follow.events[0])
    expect(await listed()).toHaveLength(1)
    expect(await texts()).toEqual([afterSteps(2)])
    rmSync(path)
    writeFileSync(join(directory, 'run', 'plans.jsonl'), line('after'))
    await follow.until(({ dialect }) => dialect === 'review-log')
    expect(await follow.end()).toBe(0)
    expect(follow.events.map(({ event }) => event)).toEqual(['imported', 'imported', 'imported', 'ended'])
  })
})

describe('planspan follow, when the server is away', () => {
  test('waits, and loses nothing', { timeout: 120_000 }, async () => {
    const path = join(directory, 'plans.jsonl')
    const store = join(data, 'away')
    const first = await startServe(['--data', store])
    const { port } = new URL(first.line.url)
    const args = ['--endpoint', first.line.url, '--state', `${path}.json`]
    writeFileSync(path, line('one'))
    const follow = startFollow([path, ...args])
    await follow.until(({ event }) => event === 'imported')
    await first.end('SIGTERM')
    appendFileSync(path, line('two'))
    await follow.until(({ event }) => event === 'server_away')
    const second = await startServe(['--data', store, '--port', port])
    await follow.until(({ event }) => event === 'server_back')
    expect(await follow.end()).toBe(0)
    expect(follow.events.at(-1)).toMatchObject({ records: 2, refused: 0 })
    expect((await runCli(['list', '--endpoint', second.line.url])).out.trim().split('\n')).toHaveLength(2)
    await second.end('SIGTERM')
    appendFileSync(path, line('three'))
    const { code, err } = await runCli(['follow', path, ...args, '--once'])
    expect({ code, err }).toEqual({ code: 3, err: expect.stringMatching(/No receiver responds/) })
  })
})
