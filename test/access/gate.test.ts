import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { type Admission, Gate, type Refusal, sessionKeyOf } from '../../src/access/index.js'
import { testTokens, type TestTokens } from '../support/token-file.js'

let tokens: TestTokens
beforeEach(() => {
  tokens = testTokens()
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
})
afterEach(() => {
  tokens[Symbol.dispose]()
  vi.restoreAllMocks()
})

async function openGate(): Promise<Gate> {
  const gate = await Gate.open(tokens.path)
  onTestFinished(() => gate.close())
  return gate
}

const READ = { scope: 'read', from: '127.0.0.1' } as const
const whyOf = (answer: Admission | Refusal): string => ('why' in answer ? answer.why : 'admitted')
const admitted = (answer: Admission | Refusal): Admission => {
  if ('why' in answer) throw new Error(answer.message)
  return answer
}

describe('a token', () => {
  test('grants access to its holder, and not for an almost equal token', async () => {
    const token = await tokens.make('me')
    const gate = await openGate()
    expect(admitted(gate.admit({ token }, READ)).principal).toEqual({
      name: 'me',
      scopes: ['ingest', 'read', 'delete'],
    })
    const characters = fc.constantFrom(...'ABCdef019-_')
    fc.assert(
      fc.property(fc.nat(token.length - 1), characters, (at, character) => {
        fc.pre(token[at] !== character)
        const changed = token.slice(0, at) + character + token.slice(at + 1)
        expect(whyOf(gate.admit({ token: changed }, READ))).toBe('unknown')
      }),
    )
    fc.assert(fc.property(fc.string(), (text) => whyOf(gate.admit({ token: text }, READ)) === 'unknown'))
  })

  test('is valid for its scopes, and its session only for reading', async () => {
    const token = await tokens.make('writer', { scopes: ['ingest', 'read'] })
    const gate = await openGate()
    const sessionKey = sessionKeyOf(token)
    expect(whyOf(gate.admit({ token }, { ...READ, scope: 'ingest' }))).toBe('admitted')
    expect(whyOf(gate.admit({ token }, { ...READ, scope: 'delete' }))).toBe('scope')
    expect(whyOf(gate.admit({ token }, { ...READ, scope: undefined }))).toBe('admitted')
    expect(whyOf(gate.admit({ sessionKey }, READ))).toBe('admitted')
    expect(gate.admit({ sessionKey }, { ...READ, scope: 'ingest' })).toMatchObject({
      why: 'scope',
      message: 'This request requires the scope ingest; the token has read.',
    })
    // Neither scope includes the other.
    expect(whyOf(gate.admit({ token: sessionKey }, READ))).toBe('unknown')
    expect(whyOf(gate.admit({ sessionKey: token }, READ))).toBe('unknown')
  })

  test('that expires soon is counted, and an expired token grants no access', async () => {
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    const over = await tokens.make('over', { expiresAt: at(-1) })
    await tokens.make('soon', { expiresAt: at(13 * 86_400_000) })
    await tokens.make('later', { expiresAt: at(15 * 86_400_000) })
    const gate = await openGate()
    expect(whyOf(gate.admit({ token: over }, READ))).toBe('expired')
    expect(gate.report).toMatchObject({ tokens: 3, endSoon: 2, refused: { expired: 1 } })
  })
})

describe('the token file', () => {
  test('is read again after a change: requests of a revoked token are ended', async () => {
    const kept = await tokens.make('kept')
    const gone = await tokens.make('gone')
    const gate = await openGate()
    const ends: string[] = []
    for (const [name, token] of Object.entries({ kept, gone })) {
      admitted(gate.admit({ token }, READ)).onEnd = () => ends.push(name)
    }
    const added = await tokens.make('added')
    await tokens.revoke('gone')
    await gate.look()
    expect(ends).toEqual(['gone'])
    expect([kept, gone, added].map((token) => whyOf(gate.admit({ token }, READ)))).toEqual([
      'admitted',
      'unknown',
      'admitted',
    ])
  })

  test('is checked for changes periodically', async () => {
    await tokens.make('first')
    const gate = await openGate()
    const token = await tokens.make('second')
    await vi.waitFor(() => expect(whyOf(gate.admit({ token }, READ))).toBe('admitted'), { timeout: 20_000 })
  })

  test.each([
    ['is missing', () => rmSync(tokens.path)],
    ['is invalid', () => writeFileSync(tokens.path, '{"tokens": [{"name": "me"}]}')],
    ['is truncated', () => writeFileSync(tokens.path, '{"tokens": [')],
  ])('that %s grants no access until it is repaired', async (_, spoil) => {
    const token = await tokens.make('me')
    const gate = await openGate()
    spoil()
    await gate.look()
    expect(whyOf(gate.admit({ token }, READ))).toBe('unreadable')
    rmSync(tokens.path, { force: true })
    const again = await tokens.make('me')
    await gate.look()
    expect(whyOf(gate.admit({ token: again }, READ))).toBe('admitted')
    expect(whyOf(gate.admit({ token }, READ))).toBe('unknown')
  })

  test('contains no token, and causes a warning if others than its owner can read it', async () => {
    await tokens.make('me')
    expect((await openGate()).report.isFileExposed).toBe(false)
    expect(process.emitWarning).not.toHaveBeenCalled()
    chmodSync(tokens.path, 0o440)
    expect((await openGate()).report.isFileExposed).toBe(false)
    for (const mode of [0o604, 0o620]) {
      chmodSync(tokens.path, mode)
      expect((await openGate()).report.isFileExposed).toBe(true)
    }
    expect(process.emitWarning).toHaveBeenCalledTimes(2)
  })

  test('survives concurrent changes, and is never half written', async () => {
    const made = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => tokens.make(name)))
    const { tokens: count } = (await openGate()).report
    expect(count).toBe(made.filter(({ status }) => status === 'fulfilled').length)
    for (const result of made) {
      if (result.status === 'rejected') expect(String(result.reason)).toMatch(/are being changed.*remove .*\.new/)
    }
    writeFileSync(tokens.path, '{"tokens": [')
    await expect(tokens.make('e')).rejects.toThrow(/is malformed/)
    rmSync(tokens.path)
    await tokens.make('f')
  })
})

test('limits the concurrent requests and the request rate per token, independently of other tokens', async () => {
  const token = await tokens.make('little', { atOnce: 2, perSecond: 3 })
  const other = await tokens.make('other')
  const gate = await openGate()
  const open = [1, 2].map(() => admitted(gate.admit({ token }, READ)))
  expect(whyOf(gate.admit({ token }, READ))).toBe('limit')
  for (const one of open) {
    one.release()
    one.release()
  }
  admitted(gate.admit({ token }, READ)).release()
  vi.spyOn(Date, 'now').mockReturnValue(Date.now())
  while (whyOf(gate.admit({ token }, READ)) === 'admitted');
  expect(whyOf(gate.admit({ token: other }, READ))).toBe('admitted')
  expect(gate.report.refused.limit).toBeGreaterThanOrEqual(2)
})

test('rejected requests are counted and reported once a minute, without tokens', async () => {
  const token = await tokens.make('me', { scopes: ['ingest'] })
  const gate = await openGate()
  let now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now)
  const odd = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
  for (let count = 0; count < 100; count++) gate.admit({ token: odd }, READ)
  gate.admit({ token }, READ)
  now += 61_000
  gate.admit({}, READ)
  const reported = vi.mocked(process.emitWarning).mock.calls.map(([text]) => String(text))
  expect(reported).toEqual([
    'Rejected requests: 1 with an unknown token; the last from 127.0.0.1.',
    'Rejected requests: 1 without a token, 99 with an unknown token, 1 with a token that lacks ' +
      'the scope; the last from 127.0.0.1.',
  ])
  expect(gate.report.refused).toMatchObject({ unknown: 100, scope: 1, missing: 1 })
  expect(reported.join()).not.toContain(token.slice(9))
})
