import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { CheckLine } from '../../src/client/index.js'
import { createSpanSender } from '../../src/sender/index.js'
import { ATTR, type Span } from '../../src/semconv/index.js'
import { runCli, startServe, type Serving } from '../cli/run-cli.js'
import { finalRow, type LiveRow } from '../support/live-rows.js'

const page = readFileSync('docs/check.md', 'utf8')
const [, rules = ''] = /```yaml\n([^]*?)```/.exec(page) ?? []
const [, command = '', output = ''] = /```console\n\$ npx planspan (.*)\n([^]*?)```/.exec(page) ?? []

/** A case of a service desk in which these tools are called for these users. */
function spansOf(planId: string, calls: readonly (readonly [tool: string, user: string])[], tokens?: string): Span[] {
  const usage = tokens && { [ATTR.usageInputTokens]: tokens, [ATTR.usageOutputTokens]: '5' }
  const rows: Partial<LiveRow>[] = [
    { id: 'plan', role: 'plan', end: 60, attributes: { [ATTR.agentName]: 'refunds', [ATTR.state]: 'completed' } },
    { id: 'agent', role: 'agent', parent: 'plan', start: 1, end: 50 },
    { id: 'cycle', role: 'think_act', parent: 'agent', start: 2, end: 49 },
    { id: 'model', role: 'llm', parent: 'cycle', start: 2, end: 3, attributes: { ...usage } },
    ...calls.map(([tool, user], at) => ({
      id: `tool ${at}`,
      role: 'tool' as const,
      parent: 'cycle',
      start: 4 + at * 2,
      end: 5 + at * 2,
      attributes: {
        [ATTR.toolName]: tool,
        [ATTR.toolCallArguments]: JSON.stringify({ user_id: user, amount: 50 }),
      },
    })),
  ]
  const traceId = Buffer.from(planId).toString('hex').padStart(32, '0')
  return rows.map((row) => {
    const { kind: _, ...span } = finalRow({ planId, ...(row as LiveRow) })
    return { ...span, kind: 'INTERNAL', traceId }
  })
}

let directory: string
let serving: Serving
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  serving = await startServe(['--data', join(directory, 'data')])
  writeFileSync(join(directory, 'rules.yaml'), rules)
  await createSpanSender({ url: `${serving.line.url}/v1/traces` }).send([
    ...spansOf(
      'case-1',
      [
        ['verify_identity', 'u1'],
        ['refund', 'u1'],
      ],
      '900',
    ),
    ...spansOf('case-2', [
      ['verify_identity', 'u1'],
      ['refund', 'u2'],
    ]),
  ])
})
afterAll(async () => {
  await serving.end('SIGTERM')
  rmSync(directory, { recursive: true, force: true })
})

const run = (line: string) =>
  runCli(line.split(' '), { cwd: directory, environment: { PLANSPAN_ENDPOINT: serving.line.url } })

test('the command of docs/check.md prints what the page shows', async () => {
  const { out, err, code } = await run(command)
  const spans = (text: string): string => text.replaceAll(/span=\w+/g, 'span=…')
  expect(spans(out + err).replaceAll(serving.line.url, 'http://127.0.0.1:4318')).toBe(spans(output))
  expect(code).toBe(1)
  const [finding] = /http:\S+/.exec(out) ?? []
  expect((await fetch(finding ?? '')).status).toBe(200)
})

test('a list of plans is checked for programs and CI', async () => {
  const { out, code } = await run('check rules.yaml --workflow refunds --json --strict --junit report.xml')
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CheckLine)
  expect(code).toBe(1)
  expect(lines.map(({ planId, passed, findings }) => [planId, passed.length, findings.length]).toSorted()).toEqual([
    ['case-1', 4, 0],
    ['case-2', 2, 2],
  ])
  const report = readFileSync(join(directory, 'report.xml'), 'utf8')
  expect(report.match(/<testcase /g)).toHaveLength(8)
  expect(report.match(/<failure message="[^"]*"/g)).toEqual([
    '<failure message="refund without an earlier completed verify_identity of the same user_id"',
    '<failure message="tokens is unknown, at most 50000 allowed"',
  ])
})

test('plans that break no rule, unknown plans and invalid rules have other exit codes', async () => {
  const { code } = await run('check rules.yaml case-1')
  const unknown = await run('check rules.yaml case-9')
  writeFileSync(join(directory, 'bad.yaml'), 'rules:\n  - name: a\n    state: done\n')
  const bad = await run('check bad.yaml')
  expect([code, unknown.code, bad.code]).toEqual([0, 1, 2])
  expect(bad.err).toContain('bad.yaml:3: rule "a": state is "done"; allowed: planning')
})
