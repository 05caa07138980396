import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createLog, logFormat } from '../../../src/cli/serve/server-log.js'
import type { LogEntry } from '../../../src/server/index.js'

let written: string
beforeEach(() => {
  written = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text)
    return true
  })
})
afterEach(() => vi.restoreAllMocks())

const entry = (planId: string): LogEntry => ({
  level: 'info',
  event: 'plan_erased',
  message: 'A plan was erased.',
  fields: { planId, traceIds: ['ab'], askedBy: undefined },
})

test('an entry is a line of text or of JSON', () => {
  createLog('text')(entry('plan 1'))
  expect(written).toMatch(/^\d{4}-\S+Z info A plan was erased\. planId="plan 1" traceIds=\["ab"\]\n$/)
  written = ''
  createLog('json')(entry('plan 1'))
  expect(JSON.parse(written)).toEqual({
    time: expect.stringMatching(/^\d{4}-\S+Z$/),
    level: 'info',
    event: 'plan_erased',
    message: 'A plan was erased.',
    planId: 'plan 1',
    traceIds: ['ab'],
  })
})

test.each(['a\nb', 'a\r\n2026 error', '\u001B[2J', '\u009B31m', '\u2028x', 'a\u202Eb', '\u0000', '\u007F'])(
  '%j in a name or a message starts no new line and sends no control code to a terminal',
  (name) => {
    for (const format of ['text', 'json'] as const) {
      written = ''
      createLog(format)({ ...entry(name), message: name })
      expect(written.slice(0, -1)).toMatch(/^[\u0020-\u007E]+$/)
      expect(written.at(-1)).toBe('\n')
      if (format === 'json') expect(JSON.parse(written)).toMatchObject({ planId: name, message: name })
    }
  },
)

test('no third format exists', () => {
  expect(() => logFormat('xml')).toThrow('--log-format takes text or json, not "xml".')
})
