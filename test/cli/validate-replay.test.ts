import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import process from 'node:process'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runCli } from '../../src/cli/run.js'

const fixture = (path: string): string => fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url))
const sample = fixture('review-log/plan_run_record.jsonl')
const line = readFileSync(sample, 'utf8')

const directory = mkdtempSync(join(tmpdir(), 'planspan-'))
afterAll(() => rmSync(directory, { recursive: true }))

let files = 0
const file = (text: string): string => {
  const path = join(directory, `${files++}.jsonl`)
  writeFileSync(path, text)
  return path
}

let out = ''
let err = ''
beforeEach(() => {
  out = ''
  err = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += String(text)), true))
})
afterEach(() => vi.restoreAllMocks())

describe('validate', () => {
  test('--json of the published sample matches the output of the planner’s own script', async () => {
    expect(await runCli(['validate', '--json', sample])).toBe(0)
    const expected = JSON.parse(readFileSync(fixture('review-log/validate_review_log_output.example.json'), 'utf8'))
    expect(JSON.parse(out)).toEqual({ ...expected, log_path: sample })
    expect(Object.keys(JSON.parse(out))).toEqual(Object.keys(expected))
  })

  test('reports each invalid line and continues to count', async () => {
    const path = file(`${line}\n\n{"question": "q"}\n${line.replace('"attempt": 2', '"attempt": 0')}\n{"a":\n${line}\n`)
    expect(await runCli(['validate', path])).toBe(1)
    expect(out.split('\n')).toEqual([
      `${path}:3: No known record format: an object with the keys "question". ${expectedDialects(out)}`,
      expect.stringMatching(/:4: review_log\.1\.attempt: Too small/),
      expect.stringMatching(/:5: Not JSON: the text ends where a value is expected/),
      `${path}: 2 of 5 records valid`,
      '',
    ])
  })

  // The output of my-deep-research's scripts/validate_review_log.py for the same files, under pydantic 2.13.
  test.each([
    ['bad lines on end', '$\nnot json\nnor this\n$\n', 4, [2, 3]],
    ['bad lines at the start', 'not json\nnor this\n$\n', 3, [1, 2]],
    ['nothing but bad lines', 'a\nb\n\nc\n', 3, [1, 2, 4]],
    ['truncated lines', '$\n{"a":\n{"b":\n$\n{"a"', 5, [2, 3, 5]],
    ['a value over two lines', '$\n[1,\n2]\n{\n}\n$\n', 6, [2, 3, 4, 5]],
    ['values that are no objects', '$\nnull\n[]\n3\n"x"\n', 5, [2, 3, 4, 5]],
    ['a record of another kind at the start', '{"a":1}\nb\nc\n$\n', 4, [1, 2, 3]],
    ['two records on a line', '$\n$$\n$\n', 3, [2]],
    ['something behind a record', '$\n$ x\n$\n', 3, [2]],
    ['carriage returns', '$\r{"a":1}\r$\r', 3, [2]],
    ['lines that end in both', '$\r\n\r\nx\r\n$\r\n', 3, [3]],
  ])('counts %s as the planner’s own script does', async (_, text, total, lines) => {
    const path = file(text.replaceAll('$', () => line.trim()))
    expect(await runCli(['validate', '--json', path])).toBe(1)
    const report = JSON.parse(out)
    expect(report).toMatchObject({ total, valid: total - lines.length })
    expect(report.invalid.map((bad: { line: number }) => bad.line)).toEqual(lines)
  })

  test('accepts records that span several lines', async () => {
    const pretty = JSON.stringify(JSON.parse(line), null, 2)
    expect(await runCli(['validate', file(`\n${pretty}\n\n${pretty}\n`)])).toBe(0)
    expect(out).toMatch(/: 2 of 2 records valid\n$/)
  })

  test('reports the missing parts of a planner run if the format is given', async () => {
    expect(await runCli(['validate', '--format', 'review-log', '--json', file('{"question": "q"}\n')])).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      total: 1,
      valid: 0,
      invalid: [{ line: 1, error: expect.stringMatching(/^timestamp: Invalid input.*; locale: .*; plan: /) }],
      missing_file: false,
    })
  })

  test.each([
    'lynxe/details-waiting-input.json',
    'lynxe/agent-execution-detail.json',
    'lynxe/doc-example-2025-03-28.json',
    'trajectory/execution_trajectory.json',
    'trajectory/traj.jsonl',
    'plan-act/default-mock/redis_output_stream.jsonl',
    'plan-act/default-mock/chat.sse',
    'plan-act/default-mock/get_session.json',
  ])('accepts a record of another dialect: %s', async (name) => {
    const path = fixture(name)
    expect(await runCli(['validate', path])).toBe(0)
    expect(out).toBe(`${path}: 1 of 1 record valid\n`)
  })

  test('fails for a record whose fields have other types than in its dialect', async () => {
    expect(await runCli(['validate', file('{"planId":"p","userRequest":"r","completed":"yes"}')])).toBe(1)
    expect(out).toContain(':1: completed: Invalid input')
  })

  test.each([
    ['a file that is not there', ['validate', '/nope/plans.jsonl'], 2],
    ['no file', ['validate'], 2],
    ['an unknown dialect', ['validate', '--format', 'odd', sample], 2],
  ])('exits with 2 for %s', async (_, args, code) => {
    expect(await runCli(args)).toBe(code)
    expect(err).not.toBe('')
  })

  test('--json reports a missing file', async () => {
    expect(await runCli(['validate', '--json', '/nope/plans.jsonl'])).toBe(2)
    expect(JSON.parse(out)).toEqual({
      log_path: '/nope/plans.jsonl',
      total: 0,
      valid: 0,
      invalid: [],
      missing_file: true,
    })
  })

  test('reports nothing for an empty file', async () => {
    expect(await runCli(['validate', file('')])).toBe(1)
    expect(out).toMatch(/: no records\n$/)
  })
})

/** The list of known dialects at the end of a message. */
const expectedDialects = (text: string): string => /Known: .*/.exec(text)?.[0] ?? ''

describe('replay', () => {
  test('--json of the published sample is, byte for byte, the output of the planner’s own script', async () => {
    expect(await runCli(['replay', '--json', sample])).toBe(0)
    const expected = readFileSync(fixture('review-log/replay_review_log_output.example.json'), 'utf8')
    expect(out).toBe(`${expected.replace('samples/plan_run_record.jsonl', sample)}\n`)
  })

  test('summarizes a planner run for people', async () => {
    expect(await runCli(['replay', sample])).toBe(0)
    expect(out).toBe(`${sample}: record 0 of 1, line 1, review-log
state     completed
question  LangGraph 深度调研代理的最佳实践有哪些？
locale    zh-CN
context   Reviewer feedback: 强调成本评估
topic     LangGraph 深度调研代理最佳实践
goal      总结构建 Planner→Researcher→Reporter 闭环的推荐做法
tokens    none recorded
risk      not assessed

steps
  step-1  RESEARCH    PENDING  梳理官方文档
  step-2  PROCESS     PENDING  整理社区范例
  step-3  SYNTHESIZE  PENDING  形成最佳实践摘要

reviews
  1  REQUEST_CHANGES  请补充成本估算
  2  ACCEPT_PLAN

research
  in all  2 calls                                                3 notes  5 results  1.25 s
  step-1  LangGraph 深度调研代理最佳实践 | 梳理官方文档 | zh-CN  2 notes  3 results  0.72 s
  step-2  LangGraph 深度调研代理最佳实践 | 整理社区范例 | zh-CN  1 notes  2 results  0.53 s
`)
  })

  test('colors a terminal without breaking the codes or the columns', async () => {
    vi.stubEnv('NO_COLOR', '')
    vi.stubEnv('FORCE_COLOR', '1')
    const { isTTY } = process.stdout
    process.stdout.isTTY = true
    try {
      expect(await runCli(['replay', sample])).toBe(0)
    } finally {
      process.stdout.isTTY = isTTY
      vi.unstubAllEnvs()
    }
    expect(out).toContain('\nstate     \u001B[32mcompleted\u001B[39m\n')
    expect(out).toContain('\n\u001B[1msteps\u001B[22m\n  step-1  RESEARCH  ')
    expect(out).not.toMatch(/(?<!\u001B)\[\d+m/)
  })

  test('shows the steps, tokens and risk of a plan that was recorded live', async () => {
    const step = { stepId: 's', agentName: 'scout', agentRequest: 'look', status: 'FINISHED', thinkActSteps: [] }
    const plan = { currentPlanId: 'p', title: null, userRequest: null, startTime: null, completed: true }
    expect(await runCli(['replay', file(JSON.stringify({ ...plan, agentExecutionSequence: [step] }))])).toBe(0)
    expect(out).toMatch(/\n\nsteps\n {2}s {2}PROCESS {2}COMPLETED {2}look\n$/)
  })

  test.each([
    [[], 3],
    [['--index=0'], 0],
    [['--index', '2'], 2],
    [['--index', '9'], 3],
    [['--index=-2'], 2],
    [['--index=-9'], 0],
  ])('%j selects the record with index %i among the valid records', async (args, index) => {
    const run = (number: number): string => line.replace('"question": "', `"question": "${number} `)
    const path = file(`${run(0)}\n{"bad":1}\n${run(1)}\n${run(2)}\n${run(3)}\n`)
    expect(await runCli(['replay', '--json', ...args, path])).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      records_available: 4,
      selected_index: index,
      validation_errors: [{ line: 2 }],
      selected_record: { question: expect.stringMatching(new RegExp(`^${index} `)) },
    })
  })

  test('has null for missing counts of an old version, like the script', async () => {
    const { telemetry: _, ...rest } = JSON.parse(line)
    const call = { step_id: 's', query: 'q', note_count: 1, duration_seconds: null }
    const researcher = { total_calls: 1, total_notes: 1, total_duration_seconds: null, calls: [call] }
    await runCli(['replay', '--json', file(JSON.stringify({ ...rest, telemetry: { researcher } }))])
    expect(JSON.parse(out).selected_record.researcher_metrics).toEqual({
      ...researcher,
      calls: [
        { ...call, result_count: null, applied_max_results: null, applied_max_notes: null, degradation_mode: null },
      ],
      total_results: null,
      degradation_modes: [],
    })
  })

  test('shows the request, steps and state of a record of another dialect', async () => {
    expect(await runCli(['replay', '--json', fixture('lynxe/doc-example-2025-03-28.json')])).toBe(0)
    expect(JSON.parse(out).selected_record).toMatchObject({
      question: '通过百度查询一下最新的阿里巴巴股价',
      step_count: 3,
      review_actions: [],
      dialect: 'plan-execution',
      state: 'running',
      usage: null,
      risk: null,
    })
  })

  test('shows the tokens and risk of a guarded run', async () => {
    expect(await runCli(['replay', fixture('trajectory/execution_trajectory.json')])).toBe(0)
    expect(out).toMatch(/\ntokens +28036 → 943\nrisk +highest 0\.8, 1 of 6 unsafe: P000\n/)
  })

  test.each([
    ['a file without records', () => ['replay', file('\n')], 1],
    ['a file that is not there', () => ['replay', '/nope/x'], 2],
    ['a malformed index', () => ['replay', '--index', 'last', sample], 2],
  ])('for %s exits with %i', async (_, args, code) => {
    expect(await runCli(args())).toBe(code)
    expect(err).not.toBe('')
  })
})
