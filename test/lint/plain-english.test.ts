import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { symptomIn } from '../../lint/symptoms.mjs'

const pages = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
  .concat('README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md')

const CODE = /```[\s\S]*?```|`[^`\n]*`/g

test.each(pages)('%s is written in plain English', (page) => {
  const lines = readFileSync(page, 'utf8')
    .replaceAll(CODE, (code) => code.replaceAll(/[^\n]/g, ' '))
    .split('\n')
  const found = lines.flatMap((line, index) => {
    const symptom = symptomIn(line)
    return symptom ? [`${index + 1}: write ${symptom.instead}, not "${symptom.word}"`] : []
  })
  expect(found).toEqual([])
})
