import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { installAdvice, OPTIONAL_PARTS } from '../../src/base/advice.js'
import { installLines } from '../matrix/install-lines.mjs'

const lines = installLines(readFileSync('docs/install.md', 'utf8'))
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  peerDependencies: Record<string, string>
  peerDependenciesMeta: Record<string, { optional: boolean }>
}

test('docs/install.md, `planspan doctor` and the error messages give the same installation advice', () => {
  const [sdk, tool, ...parts] = lines
  expect([sdk?.command, tool?.command]).toEqual(['npm install @planspan/sdk', 'npm install planspan'])
  const said = parts.map(({ use, command }) => `${use}: ${command.replace(/\\\n */g, '')}`)
  expect(said.map((sentence) => sentence.replace(/^f/, 'F'))).toEqual(Object.values(OPTIONAL_PARTS).map(installAdvice))
})

test('every optional package is a peer dependency, and npm installs every required one', () => {
  const packages = Object.values(OPTIONAL_PARTS).flatMap((part): readonly string[] => part.packages)
  expect(Object.keys(manifest.peerDependenciesMeta).toSorted()).toEqual(packages.toSorted())
  const required = Object.keys(manifest.peerDependencies).filter((name) => !manifest.peerDependenciesMeta[name])
  expect(required).toEqual(['@opentelemetry/api'])
})
