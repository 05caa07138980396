import { describe, expect, test } from 'vitest'

import { checkAccess, checkConfiguration, tokenNeeded } from '../../../src/cli/doctor/check-access.js'

const refused = { missing: 0, unknown: 0, expired: 0, scope: 0, foreign: 0, limit: 0, unreadable: 0 }
const well = { tokens: 3, endSoon: 0, isFileExposed: false, refused }
const levels = (findings: readonly { level: string; text: string }[], words: RegExp) =>
  findings.filter(({ text }) => words.test(text)).map(({ level }) => level)

describe('doctor', () => {
  test('reports the tokens and the rejected requests', () => {
    expect(checkAccess(well)).toEqual([{ level: 'ok', text: 'It requires a token and has 3; requests rejected: none' }])
    const [reported] = checkAccess({ ...well, refused: { ...refused, missing: 2, expired: 1 } })
    expect(reported?.text).toMatch(/requests rejected: 2 missing, 1 expired$/)
  })

  test('warns of tokens that expire, and of a file that others can read', () => {
    const findings = checkAccess({ ...well, endSoon: 1, isFileExposed: true })
    expect(levels(findings, /^1 token expired or will expire within 14 days/)).toEqual(['warn'])
    expect(levels(findings, /can read or change its token file/)).toEqual(['warn'])
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

  test('explains where to set a token that a server requires', () => {
    expect(tokenNeeded('http://127.0.0.1:4318')).toMatchObject({
      level: 'fail',
      text: expect.stringMatching(/requires a token with the scope read\. Set PLANSPAN_TOKEN/) as string,
    })
  })
})
