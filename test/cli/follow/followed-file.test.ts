import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { findFile } from '../../../src/cli/follow/find-files.js'
import { FollowedFile } from '../../../src/cli/follow/followed-file.js'
import { Importer } from '../../../src/cli/follow/importer.js'
import { Outage } from '../../../src/cli/follow/pause.js'
import { Report } from '../../../src/cli/follow/report.js'
import type { EncodedRecord } from '../../../src/mapping/index.js'

const fixture = (path: string): string => readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8')
const RUN = JSON.parse(fixture('review-log/plan_run_record.jsonl')) as object
const line = (question: string): string => `${JSON.stringify({ ...RUN, question })}\n`
const TRAJECTORY = fixture('trajectory/execution_trajectory.json')
const EVENTS = fixture('plan-act/default-mock/redis_output_stream.jsonl')

/** Records the texts of its output. */
class Kept extends Report {
  readonly texts: string[] = []
  override imported({ text }: EncodedRecord): void {
    this.texts.push(text)
  }
}

let directory: string
let path: string
let kept: Kept
let importer: Importer
let refused: string[]
let time = 1_700_000_000

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  path = join(directory, 'records')
  kept = new Kept({ json: false })
  refused = []
  importer = new Importer({
    sender: { send: async (spans) => ({ accepted: [...spans].length, rejected: 0, reasons: [] }) },
    report: kept,
    outage: new Outage('server', kept),
    signal: new AbortController().signal,
    reached: {},
    waits: false,
  })
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Writes a file with a distinct time, so that a change is visible whatever the resolution of the disk's clock. */
function write(text: string, change: (path: string, text: string) => void = writeFileSync): void {
  change(path, text)
  touch()
}

function touch(): void {
  utimesSync(path, ++time, time)
}

const followed = async () => new FollowedFile(await findFile(path))

/** Polls a file; returns the texts of the imported records. */
async function look(file: FollowedFile, { isLast = true } = {}): Promise<string[]> {
  kept.texts.length = 0
  const { kind: _, ...found } = await findFile(path)
  const refuse = (error: Error, _from: string, at: number) => refused.push(`${String(at)}: ${error.message}`)
  await file.look(found, { importer, encodeOptions: { format: 'auto' }, refuse, remark: () => {}, isLast })
  await importer.flush()
  return [...kept.texts]
}

/** The records that a new process finds when it continues. */
const next = (file: FollowedFile): FollowedFile =>
  new FollowedFile(JSON.parse(JSON.stringify(file.position)) as typeof file.position)

describe('a file of lines', () => {
  test('is read from the end of its last whole line', async () => {
    write(line('a') + line('b').slice(0, 20))
    const file = await followed()
    expect(await look(file, { isLast: false })).toEqual([line('a')])
    write(line('b').slice(20, 100), appendFileSync)
    expect(await look(file, { isLast: false })).toEqual([])
    write(line('b').slice(100) + line('c'), appendFileSync)
    expect(await look(file, { isLast: false })).toEqual([line('b'), line('c')])
    expect(await look(file, { isLast: false })).toEqual([])
  })

  test('may lack its last line end, which is awaited while the file changes', async () => {
    write(line('a').trimEnd())
    const file = await followed()
    expect(await look(file, { isLast: false })).toEqual([])
    expect(await look(file, { isLast: false })).toEqual([line('a').trimEnd()])
    write(`\n${line('b')}`, appendFileSync)
    expect(await look(file, { isLast: false })).toEqual([`\n${line('b')}`])
  })

  test('has its malformed lines reported once, with their numbers', async () => {
    write(line('a'))
    const file = await followed()
    await look(file)
    write(`{"bad": }\n${line('b')}`, appendFileSync)
    expect(await look(file, { isLast: false })).toEqual([line('b')])
    write(line('c'), appendFileSync)
    expect(await look(next(file), { isLast: false })).toEqual([line('c')])
    expect(refused).toEqual([expect.stringMatching(/^2: Not JSON/)])
  })

  test('continues in another process, and is read anew if its beginning has changed', async () => {
    write(line('a') + line('b'))
    const file = await followed()
    await look(file)
    expect(await look(next(file))).toEqual([])
    write(line('c'), appendFileSync)
    expect(await look(next(file))).toEqual([line('c')])
    write(line('x') + line('b') + line('c'))
    expect(await look(next(file))).toEqual([line('x'), line('b'), line('c')])
  })

  test('may be replaced by a longer file with the same beginning', async () => {
    write(line('a'))
    const file = await followed()
    await look(file)
    const other = `${path}.new`
    writeFileSync(other, line('a') + line('b'))
    renameSync(other, path)
    touch()
    expect(await look(file)).toEqual([line('b')])
  })

  test('that has become shorter is read anew', async () => {
    write(line('a') + line('b'))
    const file = await followed()
    await look(file)
    write(line('c'))
    expect(await look(file)).toEqual([line('c')])
    write(line('d'))
    expect(await look(file)).toEqual([line('d')])
  })
})

describe('a file that is one record', () => {
  test.each([
    ['a document', TRAJECTORY],
    ['lines', EVENTS],
  ])('of %s causes no error while it is half written', async (_, text) => {
    write('')
    const file = await followed()
    for (let length = 0; length < text.length - 2; length += 997) {
      write(text.slice(0, length))
      const [half, ...more] = await look(file, { isLast: false })
      // Whole lines of a file of lines are a record.
      expect(more).toEqual([])
      if (half !== undefined) expect(text.startsWith(half)).toBe(true)
    }
    write(text)
    expect(await look(file)).toEqual([text])
    expect(refused).toEqual([])
  })

  test('is imported again after it has grown, but not at once', async () => {
    const half = EVENTS.slice(0, EVENTS.indexOf('\n', EVENTS.length / 2) + 1)
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    write(half)
    const file = await followed()
    expect(await look(file, { isLast: false })).toEqual([half])
    write(EVENTS)
    expect(await look(file, { isLast: false })).toEqual([])
    // A second for each 64 KiB.
    vi.advanceTimersByTime((half.length / 65_536) * 1000 + 1)
    expect(await look(file, { isLast: false })).toEqual([EVENTS])
  })

  test('is imported again when it has changed without growing', async () => {
    const other = TRAJECTORY.replace(/"task_id": "./, '"task_id": "0')
    expect(other).not.toBe(TRAJECTORY)
    write(TRAJECTORY)
    const file = await followed()
    await look(file)
    write(other)
    expect(await look(file)).toEqual([other])
  })

  test('is rejected at the end if its rest never arrived', async () => {
    write(TRAJECTORY.slice(0, 1000))
    const file = await followed()
    expect(await look(file, { isLast: false })).toEqual([])
    expect(refused).toEqual([])
    expect(await look(file)).toEqual([])
    expect(refused).toEqual([expect.stringMatching(/^1: Not JSON/)])
  })
})
