import { describe, expect, test } from 'vitest'

import { checkAccess, tokenNeeded } from '../../../src/cli/doctor/check-access.js'
import { checkConfiguration } from '../../../src/cli/doctor/check-configuration.js'

const refused = { missing: 0, unknown: 0, expired: 0, scope: 0, foreign: 0, limit: 0, unreadable: 0 }
const well = { tokens: 3, endSoon: 0, isFileExposed: false, refused }
const levels = (findings: readonly { level: string; text: string }[], words: RegExp) =>
  findings.filter(({ text }) => words.test(text)).map(({ level }) => level)

describe('doctor', () => {
  test('says that all is well with tokens', () => {
    expect(checkAccess(well)).toEqual([
      { level: 'ok', text: 'It asks for a token and knows 3; requests refused: none' },
    ])
    const [told] = checkAccess({ ...well, refused: { ...refused, missing: 2, expired: 1 } })
    expect(told?.text).toMatch(/requests refused: 2 missing, 1 expired$/)
  })

  test('warns of tokens that end, and of a file that others may read', () => {
    const findings = checkAccess({ ...well, endSoon: 1, isFileExposed: true })
    expect(levels(findings, /^1 token ended or will end within 14 days/)).toEqual(['warn'])
    expect(levels(findings, /may read or change its token file/)).toEqual(['warn'])
  })

  test.each([
    ['http://planspan.example:4318', ['warn']],
    ['http://192.168.0.7:4318', ['warn']],
    ['http://127.0.0.1:4318', []],
    ['http://[::1]:4318', []],
    ['http://localhost:4318', []],
    ['https://planspan.example', []],
  ])('warns of a token that goes to %s without encryption: %j', (endpoint, expected) => {
    const server = { endpoint, namedBy: '--endpoint', unsent: [], headers: {} }
    const sent = checkConfiguration({ ...server, token: 'planspan_t', tokenOf: 'PLANSPAN_TOKEN' })
    expect(levels(sent, /without encryption/)).toEqual(expected)
    expect(levels(checkConfiguration(server), /without encryption/)).toEqual([])
  })

  test('says where to give a token that a server asks for', () => {
    expect(tokenNeeded('http://127.0.0.1:4318')).toMatchObject({
      level: 'fail',
      text: expect.stringMatching(/asks for a token with the scope read\. PLANSPAN_TOKEN/) as string,
    })
  })
})
