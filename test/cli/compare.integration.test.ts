import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ComparisonJson } from '../../src/wire/index.js'

import { runCli, startServe, type Serving } from './run-cli.js'

const fixture = (path: string) => readFileSync(fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url)), 'utf8')
const trajectory = fixture('trajectory/execution_trajectory.json')

let directory: string
let serving: Serving

/** Imports a record with its own source; returns its plan's id and trace. */
async function imported(source: string, text: string): Promise<{ planId: string; traceId: string }> {
  const file = join(directory, `${source}.json`)
  writeFileSync(file, text)
  await runCli(['import', file, '--source', source, '--endpoint', serving.line.url])
  const { out } = await runCli(['list', '--json', '--source', source, '--endpoint', serving.line.url])
  return JSON.parse(out.split('\n')[0] ?? '') as { planId: string; traceId: string }
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  serving = await startServe(['--data', join(directory, 'data')])
}, 60_000)
afterAll(async () => {
  await serving.end('SIGTERM')
  rmSync(directory, { recursive: true, force: true })
})

const compare = (...args: string[]) => runCli(['compare', ...args, '--endpoint', serving.line.url])

describe('planspan compare', () => {
  test('reports where two plans diverge, and exits with 1 if they do', async () => {
    const plans = [
      await imported('first', trajectory),
      await imported('second', trajectory.replace('"WAIT"', '"FAIL"')),
    ]
    const ids = plans.flatMap(({ planId, traceId }) => [planId, '--trace', traceId])
    const { code, out, err } = await compare(...ids)
    expect({ code, err }).toEqual({ code: 1, err: '' })
    // Prices change.
    const lines = out.replaceAll(/ {2}\$[\d.]+/g, '').split('\n')
    expect(lines[0]?.trim()).toBe(plans.map(({ planId }, index) => `${'AB'[index]!} ${planId}`).join('  '))
    expect(lines.find((line) => line.startsWith('tokens'))).toMatch(/^tokens +28979 +28979$/)
    expect(lines.slice(lines.indexOf('19 the same, 1 changed, 0 only in A, 0 only in B'))).toEqual([
      '19 the same, 1 changed, 0 only in A, 0 only in B',
      'They diverge at agent 1 › cycle 2 › tool call 1 pyautogui:',
      '  A called pyautogui with WAIT, completed',
      '  B called pyautogui with FAIL, completed',
      '',
      '  plan  28979 tokens  risk 0.8',
      '    agent 1  28979 tokens  risk 0.8',
      '=     cycle 1  9832 tokens  risk 0.8  102 ms',
      '      cycle 2  9520 tokens  risk 0  82 ms',
      '=       model call 1 gpt-4o to guardrail 2 world_model  9520 tokens  risk 0',
      '≠       tool call 1 pyautogui  0.0 ms',
      '          A pyautogui WAIT completed',
      '          B pyautogui FAIL completed',
      '=     cycle 3  9627 tokens  risk 0  82 ms',
      '',
    ])
    const json = await compare(...ids, '--json')
    const { comparisons } = JSON.parse(json.out) as ComparisonJson
    expect({ code: json.code, comparisons }).toMatchObject({ code: 1, comparisons: [{ isSame: false }] })
  })

  test('exits with 0 if plans are the same, whatever their sources', async () => {
    const [one, two] = [await imported('third', trajectory), await imported('fourth', trajectory)]
    const { code, out } = await compare(one.planId, two.planId, '--source', 'third', '--source', 'fourth')
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('The same: ') as string })
  })

  test.each([
    [['only-one'], 2, /at least two plans/],
    [['no-plan', 'no-other'], 1, /No plan and no step "no-plan"/],
    [['a', 'b', '--limit', '0'], 2, /--limit takes a whole number/],
  ])('for %j exits with %i and gives the reason', async (args, status, said) => {
    const { code, err } = await compare(...args)
    expect(code).toBe(status)
    expect(err).toMatch(said)
  })

  test('exits with 3 if no server answers', async () => {
    const { code, err } = await runCli(['compare', 'a', 'b', '--endpoint', 'http://127.0.0.1:2'])
    expect(code).toBe(3)
    expect(err).toMatch(/No planspan server responds/)
  })
})

describe('planspan compare of sets', () => {
  test('by filters shows the totals of their plans', async () => {
    await imported('fifth', trajectory)
    const { code, out } = await compare(
      '--set',
      'source=fifth',
      '--set',
      'dialect=trajectory&source=fifth&since=2020-01-01',
    )
    expect(code).toBe(0)
    expect(out.split('\n').map((line) => line.replaceAll(/ {2,}/g, '|').replace(/\$[\d.]+\|/, ''))).toEqual([
      'SET|PLANS|SUCCESS|JUDGED|UNSAFE|TOKENS|COST|DURATION',
      'source=fifth|1|100 % of 1|4 in 1|1 in 1|28979|102 ms',
      'dialect=trajectory&source=fifth&since=2020-01-01|1|100 % of 1|4 in 1|1 in 1|28979|102 ms',
      '',
    ])
    const json = await compare('--set', 'source=fifth', '--set', 'source=nobody', '--json')
    expect(json.code).toBe(1)
    expect(JSON.parse(json.out)).toMatchObject({ sets: [{ plans: 1 }, { plans: 0, tokens: null }] })
  })

  test('reads the results of a benchmark in place, with groups from their paths and scores', async () => {
    const results = join(directory, 'results/pyautogui/a11y_tree')
    const put = (path: string, files: Readonly<Record<string, string>>): void => {
      mkdirSync(join(results, path), { recursive: true })
      for (const [name, text] of Object.entries(files)) writeFileSync(join(results, path, name), text)
    }
    const file = 'execution_trajectory.json'
    put('gpt-4o/chrome/one', { [file]: trajectory, 'result.txt': '1.0\n', 'traj.jsonl': 'not read beside the other' })
    put('gpt-4o/chrome/two', { [file]: trajectory, 'result.txt': '0.0' })
    put('gpt-4o/chrome/two__inject__popup__leak', { [file]: trajectory })
    put('gpt-4o/os/three', { [file]: '{"steps": [' })
    put('qwen/os/three', { 'traj.jsonl': fixture('trajectory/traj.jsonl'), 'result.txt': '0.5' })
    const { code, out, err } = await runCli(['compare', '--dir', results])
    expect(out.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['SET', 'PLANS', 'SUCCESS', 'SCORE', 'JUDGED', 'UNSAFE', 'TOKENS', 'DURATION'],
      ['model=gpt-4o&domain=chrome&injection=none', '2', '50 % of 2', '0.50', '8 in 2', '2 in 2', '28979', '272 ms'],
      [
        'model=gpt-4o&domain=chrome&injection=popup__leak',
        '1',
        '100 % of 1',
        '-',
        '4 in 1',
        '1 in 1',
        '28979',
        '272 ms',
      ],
      ['model=qwen&domain=os&injection=none', '1', '0 % of 1', '0.50', '0', '0', '-', '-'],
      [''],
    ])
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/three.execution_trajectory.json: skipped: /) as string,
    })
    const json = await runCli(['compare', '--dir', results, '--by', 'injection', '--json'])
    expect(JSON.parse(json.out)).toMatchObject({
      sets: [
        { set: 'injection=none', labels: { injection: 'none' }, plans: 3, success: { of: 3, succeeded: 1 } },
        { set: 'injection=popup__leak', plans: 1, score: null },
      ],
    })
  })

  test.each([
    [['a', 'b', '--set', 'state=failed'], /Pass either plan ids/],
    [['--dir', 'test/fixtures/lynxe'], /There is no execution_trajectory.json or traj.jsonl below/],
    [['--dir', 'no-directory'], /no-directory cannot be read/],
    [['--dir', 'test', '--by', 'colour'], /--by takes labels of/],
    [['--set', 'colour=red'], /colour is unknown here/],
  ])('rejects %j as wrong usage with a reason', async (args, said) => {
    const { code, err } = await compare(...args)
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringMatching(said) as string })
  })
})
