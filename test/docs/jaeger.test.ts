import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

import { ATTR } from '../../src/semconv/index.js'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/jaeger.md', root), 'utf8')

it('docs/jaeger.md names existing attributes', () => {
  const keys = [...page.matchAll(/`((?:planspan|gen_ai|error)\.[\w.]+)=/g)].map(([, key]) => key)
  expect(keys.length).toBeGreaterThan(5)
  expect(Object.values(ATTR)).toEqual(expect.arrayContaining(keys))
})

it('docs/jaeger.md names existing files', () => {
  const configurations = [...page.matchAll(/collector-config\/[\w-]+\.yaml/g)].map(([path]) => path)
  const links = [...page.matchAll(/\]\(([\w.-]+)\)/g)].map(([, path]) => `docs/${path}`)
  expect(configurations.length * links.length).toBeGreaterThan(0)
  expect([...configurations, ...links].filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})
