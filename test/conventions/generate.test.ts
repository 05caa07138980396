import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isConventionsVersion, readModel, registryOf } from '../../scripts/conventions-registry.mjs'

/** A checkout with a model of one file beside its manifest. */
function checkout(model: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'model/part'), { recursive: true })
  writeFileSync(join(folder, 'model/manifest.yaml'), 'schema_url: https://example.test/schemas/gen-ai/7.1.0\n')
  writeFileSync(join(folder, 'model/part/all.yaml'), model)
  return folder
}

const GENAI = `
file_format: definition/2
attributes:
  - { key: gen_ai.operation.name, type: { members: [{ id: a, value: ask }, { id: b, value: answer }] } }
  - { key: gen_ai.mood, type: double, brief: Not copied. }
  - { key: gen_ai.variable, type: 'template[string]' }
  - { key: gen_ai.humour, type: string, deprecated: { reason: renamed, renamed_to: gen_ai.mood } }
attribute_groups:
  - { id: common, attributes: [{ ref: gen_ai.operation.name, requirement_level: required }, { ref: server.port }] }
spans:
  - type: gen_ai.ask.client
    kind: client
    name: { note: 'It is \`{gen_ai.operation.name} {gen_ai.mood}\`.' }
    note: It MAY be set to \`INTERNAL\`.
    attributes: [{ ref_group: common }]
  - { type: other, kind: server }
span_refinements:
  - { id: ask.kindly, ref: gen_ai.ask.client, name: { note: 'It is \`{gen_ai.mood}\`.' } }
`
const CORE = `
groups:
  - attributes:
      - { id: server.port, type: int }
      - { id: server.address, type: string }
      - { id: gen_ai.temper, type: string, deprecated: { reason: uncategorized, note: 'Replaced by \`gen_ai.mood\`, moved.' } }
      - { id: gen_ai.smell, type: string, deprecated: { reason: obsoleted, note: Gone. } }
`

test('the registry has the names, types, values, former names and spans of the models, and no description', () => {
  expect(registryOf(readModel(checkout(GENAI)), readModel(checkout(CORE)))).toEqual({
    attributes: { 'gen_ai.mood': 'double', 'gen_ai.operation.name': 'string', 'gen_ai.variable': 'template[string]' },
    referred: { 'server.port': 'int' },
    values: { 'gen_ai.operation.name': 'ask answer' },
    former: { 'gen_ai.humour': 'gen_ai.mood', 'gen_ai.smell': null, 'gen_ai.temper': 'gen_ai.mood' },
    spans: {
      'gen_ai.ask.client': {
        kinds: ['client', 'internal'],
        names: ['{gen_ai.operation.name} {gen_ai.mood}', '{gen_ai.mood}'],
        required: ['gen_ai.operation.name'],
      },
    },
  })
})

test('a checkout of another release is recognized', () => {
  const folder = checkout(GENAI)
  expect(isConventionsVersion(folder, '7.1.0')).toBe(true)
  expect(isConventionsVersion(folder, '7.2.0')).toBe(false)
})
