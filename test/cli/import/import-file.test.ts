import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { importFile, spool } from '../../../src/cli/import/import-file.js'
import type { Input } from '../../../src/cli/records/input.js'
import type { Span } from '../../../src/semconv/index.js'
import type { SpanSender } from '../../../src/sender/index.js'
import { BAD_FILES } from '../../support/bad-files.js'

const plan = readFileSync(new URL('../../fixtures/lynxe/details-waiting-input.json', import.meta.url), 'utf8')

/** An input like a file, or like a pipe, which has no size and can be read once. */
function inputOf(content: Uint8Array | string, { isPipe = false } = {}): Input {
  const bytes = Buffer.from(content)
  let isRead = false
  async function* chunks() {
    if (isRead && isPipe) throw new Error('A pipe is read twice.')
    isRead = true
    for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
  }
  return { name: 'records', chunks, size: async () => (isPipe ? 0 : bytes.length) }
}

/** Imports an input; returns the result and the sent records. */
async function importInput(input: Input, { keepGoing = false } = {}) {
  const sent: Span[] = []
  const sender: SpanSender = {
    async send(spans) {
      const all = [...spans]
      sent.push(...all)
      return { accepted: all.length, rejected: 0, reasons: [] }
    },
  }
  return { result: await importFile(input, { sender, options: {}, keepGoing }), sent }
}

describe('a file with a malformed record', () => {
  test.each(Object.entries(BAD_FILES))('that is %s is reported with the reason', async (_, { bytes, line, ...bad }) => {
    const { result, sent } = await importInput(inputOf(bytes))
    expect(result).toMatchObject({ records: 0, spans: 0 })
    expect(result.bad[0]).toMatchObject({
      line,
      error: { code: bad.code, message: expect.stringMatching(bad.message) },
    })
    expect(sent).toEqual([])
  })

  test('is not sent at all', async () => {
    const { result, sent } = await importInput(inputOf(`${plan}\n{"a":1}\n${plan}\n`))
    expect(result).toMatchObject({ records: 0, spans: 0, bad: [{ line: 2 }] })
    expect(sent).toEqual([])
  })

  test('has its valid records sent with keepGoing', async () => {
    const input = inputOf(`${plan}\n{"broken":\n${plan}\n{"a":1}\n`)
    const { result, sent } = await importInput(input, { keepGoing: true })
    expect(result).toMatchObject({ records: 2, spans: 8, bad: [{ line: 2 }, { line: 4 }] })
    expect(sent).toHaveLength(8)
  })
})

describe('input through a pipe', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'planspan-test-'))
    vi.stubEnv('TMPDIR', directory)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(directory, { recursive: true })
  })

  test('is sent, and no copy of it remains', async () => {
    const { result, sent } = await importInput(inputOf(plan, { isPipe: true }))
    expect(result).toMatchObject({ records: 1, spans: 4 })
    expect(sent).toHaveLength(4)
    expect(readdirSync(directory)).toEqual([])
  })

  test('leaves no copy behind, however the process ends', async () => {
    const spooled = await spool(inputOf(plan, { isPipe: true }))
    expect(readdirSync(directory)).toEqual([])
    for (let times = 0; times < 2; times++) {
      const chunks: Uint8Array[] = []
      for await (const chunk of spooled.chunks()) chunks.push(chunk)
      expect(Buffer.concat(chunks).toString()).toBe(plan)
    }
    await spooled.close()
  })

  test('is not sent when it contains a malformed record, and no copy of it remains', async () => {
    const { result, sent } = await importInput(inputOf(`${plan}\n{"a":1}\n`, { isPipe: true }))
    expect(result).toMatchObject({ records: 0, bad: [{ line: 2 }] })
    expect(sent).toEqual([])
    expect(readdirSync(directory)).toEqual([])
  })
})

test('keeps `__proto__` in a record like any other key', async () => {
  const text = '{"planId":"p","userRequest":"r","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
  const { result, sent } = await importInput(inputOf(text))
  expect(result).toMatchObject({ records: 1, bad: [] })
  expect(JSON.stringify(sent[0]!.attributes)).toContain('polluted')
  expect({}).not.toHaveProperty('polluted')
})
