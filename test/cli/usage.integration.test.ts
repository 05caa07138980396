import { describe, expect, test } from 'vitest'

import packageJson from '../../package.json' with { type: 'json' }
import { runCli } from './run-cli.js'

const NAMES = [
  'set-aside',
  'serve',
  'demo',
  'import',
  'follow',
  'validate',
  'replay',
  'list',
  'show',
  'open',
  'export',
  'compare',
  'check',
  'delete',
  'verify',
  'generate',
  'token',
  'tenant',
  'schema',
  'index',
  'set-aside',
  'backup',
  'restore',
  'doctor',
  'completion',
]
const NOWHERE = ['--endpoint', 'http://127.0.0.1:2']

describe('the command line', () => {
  test.each([['--help'], ['-h']])('%s names every command', async (flag) => {
    const { code, out } = await runCli([flag])
    expect(code).toBe(0)
    for (const name of NAMES) expect(out).toContain(name)
    expect(out).not.toContain('\u001B')
  })

  test('a command shows its options', async () => {
    const { code, out, err } = await runCli(['list', '--help'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('USAGE planspan list')
  })

  test.each([
    [['help'], ['--help']],
    [
      ['help', 'list'],
      ['list', '--help'],
    ],
  ])('%j is %j', async (args, same) => {
    expect(await runCli(args)).toEqual(await runCli(same))
  })

  test('accepts a negative number as an argument', async () => {
    const records = 'test/fixtures/review-log/plan_run_record.jsonl'
    expect(await runCli(['replay', records, '--index', '-1'])).toMatchObject({
      code: 0,
      out: (await runCli(['replay', records, '--index=-1'])).out,
    })
  })

  test('--version prints the version of the package', async () => {
    expect((await runCli(['--version'])).out).toBe(`${packageJson.version}\n`)
  })

  test.each([
    [[], /USAGE planspan/],
    [['bogus'], /no command "bogus"/],
    [['list', '--bogus'], /^Error: Unknown option '--bogus'\. See `planspan list --help`\.\n$/],
  ])('%j is wrong usage', async (args, message) => {
    const { code, out, err } = await runCli(args)
    expect(code).toBe(2)
    expect(out + err).toMatch(message)
  })

  test.each([[['--version']], [['help']], [['list', ...NOWHERE]], [['show', 'x', ...NOWHERE]]])(
    '%j loads no dependency and no dialect',
    async (args) => {
      const modules = new URL('../support/print-modules.mjs', import.meta.url)
      const { err } = await runCli(args, { environment: { NODE_OPTIONS: `--import=${modules.href}` } })
      expect(err).toMatch(/\/dist\/cli\/run\.js$/m)
      expect(err.split('\n').filter((url) => /node_modules|\/dialects\//.test(url))).toEqual([])
    },
  )

  test.each([[['list']], [['show', 'x']]])('%j exits with 3 when no server answers', async (args) => {
    const { code, err } = await runCli([...args, ...NOWHERE])
    expect(code).toBe(3)
    expect(err).toMatch(/No planspan server responds at http:\/\/127\.0\.0\.1:2 .*planspan serve/)
  })
})

describe('planspan schema', () => {
  test('prints the tables and views', async () => {
    const { code, out } = await runCli(['schema', '--database', 'mine'])
    expect(code).toBe(0)
    expect(out).toMatch(/CREATE DATABASE IF NOT EXISTS mine;/)
    expect(out).toContain('CREATE TABLE IF NOT EXISTS mine.otel_traces')
  })

  test('prints them for a cluster', async () => {
    const { out } = await runCli(['schema', '--cluster', 'main'])
    expect(out).toMatch(/ON CLUSTER 'main'/)
    expect(out).toMatch(/Distributed\('main'/)
  })
})
