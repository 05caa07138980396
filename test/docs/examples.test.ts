import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const page = readFileSync('docs/semantic-conventions.md', 'utf8')
const documented = new Set([...page.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, key]) => key))

/** Returns the attributes that the examples in a language use. */
function attributesIn(language: string): string[] {
  const directory = join('examples', language)
  const files = readdirSync(directory, { encoding: 'utf8', recursive: true }).filter((file) =>
    /\.(?:go|java)$/.test(file),
  )
  const names = files.flatMap(
    (file) => readFileSync(join(directory, file), 'utf8').match(/\b(?:planspan|gen_ai)\.[\w.]+\w/g) ?? [],
  )
  return [...new Set(names)]
}

test.each(['go', 'java'])('the examples in %s use documented attributes', (language) => {
  const names = attributesIn(language)
  expect(names).toContain('planspan.span.kind')
  expect(names.filter((name) => !documented.has(name))).toEqual([])
})
