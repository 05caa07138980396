import type { HrTime } from '@opentelemetry/api'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPlanToken, parsePlanToken, type PlanToken } from '../../src/tracing/plan-token.js'

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)).filter((id) => !/^0+$/.test(id))
const text = fc.string({ minLength: 1, unit: 'binary' })
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const context = fc.record({ traceId: hex(32), spanId: hex(16), traceFlags: fc.constantFrom(0, 1) })

const token: fc.Arbitrary<PlanToken> = fc
  .record({
    span: maybe(context),
    planId: text,
    conversationId: maybe(text),
    workflow: maybe(text),
    segment: fc.nat(),
    revision: fc.nat(),
    reviews: fc.nat(),
    wait: maybe(
      fc.record({
        id: text,
        spanId: hex(16),
        startTime: fc.tuple(fc.nat(), fc.nat(999_999_999)),
        reason: maybe(fc.constantFrom('form_input', 'plan_review', 'tool_approval')),
      }),
    ),
  })
  .map(({ wait, span, ...plan }) => {
    const remote = span && { ...span, isRemote: true }
    if (!wait) return { ...plan, span: remote, wait }
    const { spanId, ...open } = wait
    return { ...plan, span: remote, wait: { ...open, span: remote && { ...remote, spanId } } }
  })

describe('a token', () => {
  test('decodes to its input, and fits in a URL', () => {
    fc.assert(
      fc.property(token, (plan) => {
        const text = formatPlanToken(plan)
        expect(text).toMatch(/^[\w.-]+$/)
        expect(parsePlanToken(text)).toEqual({ token: plan })
      }),
    )
  })

  test('with one character missing or changed is rejected', () => {
    fc.assert(
      fc.property(token, fc.nat(), fc.constantFrom('', 'x', '0', '.'), (plan, at, other) => {
        const text = formatPlanToken(plan)
        const place = at % text.length
        const broken = text.slice(0, place) + other + text.slice(place + 1)
        fc.pre(broken !== text)
        expect(parsePlanToken(broken)).toHaveProperty('problem')
      }),
      { numRuns: 1_000 },
    )
  })

  test('of a usual plan has about 300 characters', () => {
    const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }
    const planId = 'plan-3a0b3b1e-6f0e-4d5c-9a46-2f4b8f1c9d7e'
    const wait = { id: planId, span, startTime: [1_795_000_000, 123_456_789] as HrTime, reason: 'plan_review' as const }
    const plan = {
      span,
      planId,
      conversationId: undefined,
      workflow: 'trip',
      segment: 0,
      revision: 1,
      reviews: 1,
      wait,
    }
    expect(formatPlanToken(plan).length).toBeLessThan(350)
  })

  test('with spaces or a line end around it is read', () => {
    const [plan] = fc.sample(token, 1)
    expect(parsePlanToken(` ${formatPlanToken(plan!)}\n`)).toEqual({ token: plan })
  })
})

describe('an invalid token', () => {
  test.each([
    [undefined, 'it is not text, but undefined'],
    [null, 'it is not text, but null'],
    [{}, 'it is not text, but object'],
    ['', 'it does not begin with "pt1."'],
    ['plan-7', 'it does not begin with "pt1."'],
    ['pt2.abc.00000000', 'its version is 2, and this planspan reads version 1'],
    ['pt1.abc', 'it was truncated or changed: its checksum differs'],
  ])('%j is rejected with a reason', (value, problem) => {
    expect(parsePlanToken(value)).toEqual({ problem })
  })

  test.each([{}, [], [null, 'p', null, null, -1, 0, 0, null], [['0', '0', 1], 'p', null, null, 0, 0, 0, null]])(
    'with a valid checksum is still validated: %j',
    (value) => {
      const real = formatPlanToken({ ...EMPTY, planId: 'p' })
      expect(parsePlanToken(real)).toHaveProperty('token')
      expect(parsePlanToken(signed(JSON.stringify(value)))).toEqual({
        problem: 'its payload is malformed',
      })
    },
  )

  test('never throws', () => {
    fc.assert(fc.property(fc.anything(), (value) => void parsePlanToken(value)))
    fc.assert(fc.property(fc.json(), (json) => void expect(parsePlanToken(signed(json))).toBeDefined()))
  })
})

const EMPTY = {
  span: undefined,
  conversationId: undefined,
  workflow: undefined,
  segment: 0,
  revision: 0,
  reviews: 0,
  wait: undefined,
}

/** A token of another payload, with a valid checksum. */
function signed(json: string): string {
  const payload = Buffer.from(json).toString('base64url')
  return `pt1.${payload}.${checksumOf(payload)}`
}

function checksumOf(text: string): string {
  let crc = 0xffffffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0')
}
