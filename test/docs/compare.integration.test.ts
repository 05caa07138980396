import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { createSpanSender } from '../../src/sender/index.js'
import { ATTR, type Span } from '../../src/semconv/index.js'
import { runCli, startServe, type Serving } from '../cli/run-cli.js'
import { finalRow, type LiveRow } from '../support/live-rows.js'

const page = readFileSync('docs/compare.md', 'utf8')

/** The commands of the page and their documented output. */
const SHOWN = [...page.matchAll(/```console\n\$ npx planspan (.*)\n([^]*?)```/g)].map(
  ([, command = '', output = '']) => ({
    command,
    output,
  }),
)

/** A plan that searches for a hotel and books it, with the given call in the second step's cycle. */
function trip(planId: string, booking: readonly Partial<LiveRow>[]): Span[] {
  const call = (name: string, given: object): Readonly<Record<string, string>> => ({
    [ATTR.toolName]: name,
    [ATTR.toolCallArguments]: JSON.stringify(given),
  })
  const rows: Partial<LiveRow>[] = [
    { id: 'plan', role: 'plan', end: 60, attributes: { [ATTR.planTitle]: 'Trip', [ATTR.state]: 'completed' } },
    ...['Look for a hotel', 'Book it'].map((title, step) => ({
      id: `agent ${step}`,
      role: 'agent' as const,
      parent: 'plan',
      seq: step,
      start: 20 * step + 1,
      end: 20 * step + 20,
      attributes: { [ATTR.stepDescription]: title, [ATTR.stepIndex]: String(step), [ATTR.agentName]: 'clerk' },
    })),
    { id: 'cycle 0', role: 'think_act', parent: 'agent 0', start: 2, end: 9 },
    {
      id: 'model 0',
      role: 'llm',
      parent: 'cycle 0',
      start: 2,
      end: 4,
      attributes: {
        [ATTR.requestModel]: 'house-model',
        [ATTR.usageInputTokens]: '900',
        [ATTR.usageOutputTokens]: '80',
      },
    },
    { id: 'tool 0', role: 'tool', parent: 'cycle 0', start: 5, end: 8, attributes: call('search', { city: 'Rome' }) },
    { id: 'cycle 1', role: 'think_act', parent: 'agent 1', start: 22, end: 36 },
    ...booking.map((row) => ({ ...row, parent: 'cycle 1' })),
  ]
  return rows.map((row) => {
    const { kind: _, ...span } = finalRow({ planId, ...(row as LiveRow) })
    return { ...span, kind: 'INTERNAL', traceId: Buffer.from(planId).toString('hex').padEnd(32, '0').slice(-32) }
  })
}

const book = (room: number, more: Readonly<Record<string, string>> = {}): Partial<LiveRow> => ({
  id: 'book',
  role: 'tool',
  start: 30,
  end: 35,
  error: ATTR.errorMessage in more,
  attributes: { [ATTR.toolName]: 'book', [ATTR.toolCallArguments]: `{"room":${room},"nights":2}`, ...more },
})
const PRICE: Partial<LiveRow> = {
  id: 'price',
  role: 'tool',
  start: 24,
  end: 26,
  attributes: { [ATTR.toolName]: 'ask_price', [ATTR.toolCallArguments]: '{"room":7}' },
}

let directory: string
let serving: Serving

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  serving = await startServe(['--data', join(directory, 'data')])
  const sender = createSpanSender({ url: `${serving.line.url}/v1/traces` })
  await sender.send([
    ...trip('trip-1', [PRICE, book(7)]),
    ...trip('trip-2', [book(9, { [ATTR.errorMessage]: 'Room 9 is taken' })]),
  ])
  const trajectory = readFileSync('test/fixtures/trajectory/execution_trajectory.json')
  for (const [path, score] of [
    ['gpt-4o/chrome/task-1', '1.0'],
    ['gpt-4o/chrome/task-2', '0.0'],
    ['gpt-4o/chrome/task-2__inject__popup', '0.0'],
  ] as const) {
    const folder = join(directory, 'results/pyautogui/a11y_tree', path)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'execution_trajectory.json'), trajectory)
    writeFileSync(join(folder, 'result.txt'), score)
  }
}, 60_000)
afterAll(async () => {
  await serving.end('SIGTERM')
  rmSync(directory, { recursive: true, force: true })
})

describe('docs/compare.md', () => {
  test('shows plans, sets and results', () => {
    expect(SHOWN.map(({ command }) => command.split(' ')[1])).toEqual(['trip-1', '--set', '--dir'])
  })

  test.each(SHOWN)('shows the output of `planspan $command`', async ({ command, output }) => {
    const args = command.split(' ').map((arg) => arg.replaceAll("'", ''))
    const { out } = await runCli(args, {
      cwd: directory,
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: serving.line.url },
    })
    expect(out).toBe(output)
  })
})
