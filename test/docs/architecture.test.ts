import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

import { ARROWS } from '../../lint/layers.mjs'

const PAGE = 'docs/architecture.md'
const page = readFileSync(PAGE, 'utf8')

/** Files and folders of the project that the page names in code; `<name>` stands for any name. */
const paths = [...page.matchAll(/`((?:src|lint|test|bench|dashboards|docs)\/[^`\s]*)`/g)].map(([, path = '']) => path)
/** Files that the page names without their folder. */
const names = [...page.matchAll(/`([a-z][\w-]*\.(?:ts|js))`/g)].map(([, name = '']) => name)
const sources = new Set(
  ['src', 'test/fuzz']
    .flatMap((folder) => readdirSync(folder, { encoding: 'utf8', recursive: true }))
    .map((path) => basename(path)),
)
const links = [...page.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => join(dirname(PAGE), link))

describe('docs/architecture.md', () => {
  test.each([...new Set([...paths, ...links])])('names %s, which exists', (path) => {
    expect(existsSync(path.split('<')[0] ?? path)).toBe(true)
  })

  test.each([...new Set(names)])('names %s, a file that exists', (name) => {
    expect(sources).toContain(name)
  })

  test('lists the imports that the linter permits', () => {
    const rows = [...page.matchAll(/^\| `([a-z]+)` \| [^|]+ \|([^|]*)\|$/gm)]
    const documented = rows.map(([, layer = '', imports = '']) => [layer, imports.match(/\w+/g) ?? []])
    expect(Object.fromEntries(documented)).toEqual(ARROWS)
  })

  test('explains each type of span that it names', () => {
    const types = [...page.matchAll(/^\| `(Span\w*|\w+Span)` \|/gm)].map(([, type = '']) => type)
    expect(types.length).toBeGreaterThan(5)
    expect(new Set(types).size).toBe(types.length)
  })
})
