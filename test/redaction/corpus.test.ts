import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../src/redaction/index.js'
import { chance, fill } from './corpus/fill.js'
import { HARMLESS } from './corpus/harmless.js'
import { NAMED } from './corpus/named.js'
import { SURROUNDINGS, TOKENS } from './corpus/tokens.js'

const redactor = createRedactor()
const next = chance(1)

/** Texts, each with a secret of one kind. */
const secrets = [
  ...Object.entries(TOKENS).flatMap(([kind, template]) =>
    Object.entries(SURROUNDINGS).map(([where, surround]) => {
      const secret = fill(template, next)
      return { kind, what: `${kind}, ${where}`, secret, text: surround(secret) }
    }),
  ),
  ...Object.entries(NAMED).map(([kind, template]) => {
    const marked = fill(template, next)
    const secret = /«([^]*)»/.exec(marked)?.[1] ?? ''
    return { kind, what: kind, secret, text: marked.replace(/[«»]/g, '') }
  }),
]
const harmless = HARMLESS.map((template) => fill(template, next))

const rest = secrets.filter(({ text, secret }) => {
  const masked = redactor.text(text)
  const before = text.slice(0, text.indexOf(secret))
  const after = text.slice(text.lastIndexOf(secret) + secret.length)
  return !masked.startsWith(before) || !masked.endsWith(after)
})
const missed = secrets.filter(({ text, secret }) => redactor.text(text).includes(secret))
const touched = harmless.filter((text) => redactor.text(text) !== text)

describe('a corpus of secrets and of harmless texts', () => {
  test('has at least 150 kinds of secrets and 400 harmless texts', () => {
    expect(new Set(secrets.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(150)
    expect(new Set(harmless).size).toBeGreaterThanOrEqual(400)
  })

  test('at least 99 of 100 secrets are masked', () => {
    const names = missed.map(({ what }) => what)
    expect({ names, enough: names.length <= secrets.length * 0.01 }).toEqual({ names, enough: true })
  })

  test('a secret is masked anywhere in a long text as it is by itself', () => {
    const prose = 'The planner reads the report of last week and writes a summary for the team.\n'
    const alone = secrets.filter(({ text }) => !/^[\s[{"]/.test(text))
    const others = alone.filter(({ text }, at) => {
      const [before, after] = [prose.repeat(at % 7), prose.repeat(7)]
      return redactor.text(`${before}${text}\n${after}`) !== `${before}${redactor.text(text)}\n${after}`
    })
    expect(others.map(({ text }) => text)).toEqual([])
  })

  test('the text around a secret is kept', () => {
    expect(rest.map(({ text }) => [text, redactor.text(text)])).toEqual([])
  })

  test('at least 995 of 1,000 harmless texts are unchanged', () => {
    expect({ touched, few: touched.length <= harmless.length * 0.005 }).toEqual({ touched, few: true })
  })
})
