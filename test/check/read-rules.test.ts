import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, onTestFinished, test } from 'vitest'

import { readRules, rulesJsonSchema } from '../../src/check/index.js'
import { readRulesFile } from '../../src/cli/check/read-rules.js'

async function problemsOf(yaml: string): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'rules.yaml')
  writeFileSync(file, yaml)
  const message = await readRulesFile(file).then(
    () => '',
    (error: unknown) => (error as Error).message,
  )
  return message
    .split('\n')
    .filter((line) => line.startsWith(file))
    .map((line) => line.slice(file.length + 1))
}

describe('a file of rules', () => {
  test.each([
    ['rules:\n - name: a\n   state: done', ['3: rule "a": state is "done"; allowed: planning, running,']],
    ['rules:\n - name: a\n   budget:\n     tokens: many', ['4: rule "a": budget.tokens is "many"; expected number']],
    [
      'rules:\n - name: a\n   order: { action: 3, after: x }',
      ['3: rule "a": order.action is 3; expected string or array or object'],
    ],
    [
      'rules:\n - name: a\n   forbid: {\n     tools: x }',
      [
        '4: rule "a": forbid has the unknown key tools; allowed: tool, agent,',
        '3: rule "a": forbid names no action: set one of tool,',
      ],
    ],
    ['rules:\n - name: a\n   forbid: x\n   require: y', ['2: rule "a": the rule must have exactly one of order,']],
    [
      'rules:\n - name: a\n   text: { in: answer, forbid: "(" }',
      ['3: rule "a": text.forbid is not a regular expression'],
    ],
    ['rules:\n - name: a\n   forbid: x\n - name: a\n   forbid: y', ['2: rules contains two rules of the same name']],
    ['rules:\n - forbid: x', ['2: name is missing; expected string']],
    ['rule: []', ['1: rules is missing; expected array', '1: the file has the unknown key rule; allowed: rules']],
    ['', ['1: the file is null; expected object']],
    ['rules: [', ['1: Flow sequence']],
  ])('%j is rejected with the line, the value and what is allowed', async (yaml, expected) => {
    const problems = await problemsOf(yaml)
    expect(problems).toEqual(expected.map((start) => expect.stringContaining(start)))
  })

  test.each([
    [true, { name: 'a', forbid: 'x' }],
    [true, { name: 'a', order: { action: { tool: 'x', arguments: { n: { above: 1 } } }, after: { step: 'y*' } } }],
    [false, { name: 'a', forbid: 'x', require: 'y' }],
    [false, { name: 'a', budget: { tokens: 'many' } }],
    [false, { name: 'a', forbid: 'x', unknown: 1 }],
  ])('is valid (%s) for the JSON Schema if it is for planspan: %j', (isValid, rule) => {
    const validate = new Ajv2020({ strict: false }).compile(rulesJsonSchema())
    expect([validate({ rules: [rule] }), 'rules' in readRules({ rules: [rule] })]).toEqual([isValid, isValid])
  })
})
