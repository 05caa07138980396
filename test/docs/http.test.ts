import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

import { ROUTES } from '../../src/wire/index.js'

const page = readFileSync('docs/http.md', 'utf8')
const [, table = ''] = /^\| path \|.*\n([^]*)/m.exec(page) ?? []

/** The page's own files, which are not part of the interface. */
const INTERNAL = '/assets/{name}'

/** The paths of all routes. */
const paths = new Set(Object.keys(ROUTES).map((name) => name.slice(name.indexOf(' ') + 1)))

describe('docs/http.md', () => {
  test.each([...paths].filter((path) => path !== INTERNAL))('describes %s', (path) => {
    expect(page).toMatch(new RegExp(`[\` ]${path.replaceAll(/[{}./]/g, String.raw`\$&`)}[\`?\\[ ]`))
  })

  test('describes only paths that are served', () => {
    const named = [...table.matchAll(/`(?:GET|POST|DELETE) (\/[^`?[ ]*)/g)].map(([, path = '']) => path)
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((path) => !paths.has(path))).toEqual([])
  })
})
