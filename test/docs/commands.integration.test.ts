import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { MAIN, startServe } from '../cli/run-cli.js'
import { testAuthority } from '../support/certificates.js'
import { NOT_RUN, type NotRun, RUN_ELSEWHERE, type RunElsewhere } from './commands-elsewhere.js'
import { commandsOf, type PageCommand, PAGES } from './page-commands.js'
import { userShell } from './user-shell.js'

const commands = PAGES.flatMap(commandsOf)
const isListed =
  ({ page, command }: PageCommand) =>
  (listed: { readonly page: string; readonly command: RegExp }): boolean =>
    listed.page === page && listed.command.test(command)
const toRun = commands.filter((command) => ![...RUN_ELSEWHERE, ...NOT_RUN].some(isListed(command)))

/** Traces of another library: one is stored from the start, the other is sent by a command of a page. */
const SENT = trace('langfuse/langfuse-js-sdk')
const RESENT = trace('vercel-ai/ai-sdk-v7-genai')

function trace(name: string) {
  const request = JSON.stringify(JSON.parse(readFileSync(`test/fixtures/foreign/${name}.otlp.json`, 'utf8')))
  return { request, id: /"traceId":"(\w+)"/.exec(request)?.[1] ?? '' }
}

test('a command is skipped here only if another test runs it, or if it needs a service that no test has', () => {
  const isUsed = (listed: RunElsewhere | NotRun): boolean => commands.some((command) => isListed(command)(listed))
  expect([...RUN_ELSEWHERE, ...NOT_RUN].filter((listed) => !isUsed(listed))).toEqual([])
  expect(RUN_ELSEWHERE.filter(({ by, seenFrom }) => !readFileSync(by, 'utf8').includes(seenFrom))).toEqual([])
})

test('every other command of every page runs in its own directory beside a server', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  const serving = await startServe(['--data', join(cwd, 'planspan-data')])
  onTestFinished(() => void serving.child.kill('SIGKILL'))
  const { url } = serving.line
  const { username, password, host } = new URL(serving.clickhouse.url)
  const shell = userShell(cwd, { OTEL_EXPORTER_OTLP_ENDPOINT: url, CLICKHOUSE_PASSWORD: password })

  await shell.run(`node '${join(MAIN, '../../../examples/ten-lines.mjs')}'`)
  await shell.run('planspan generate --plans 20 --seed 1')
  await fetch(`${url}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: SENT.request,
  })
  writeFileSync(join(cwd, 'traces.jsonl'), `${RESENT.request}\n`)
  using authority = testAuthority()
  for (const [kind, made] of Object.entries(authority.make('server'))) {
    const name = `tls.${kind === 'cert' ? 'crt' : 'key'}`
    for (const path of [name, join('tls', name)]) cpSync(made, join(cwd, path))
  }
  const list = async (filter: string) =>
    (await (await fetch(`${url}/api/records?${filter}`)).json()) as { records: { planId: string }[] }
  const { records } = await list('state=completed')
  const erasable = records.filter(({ planId }) => ![SENT.id, 'plan-rome'].includes(planId))

  /** A command with values for the page's placeholders, on free ports. */
  const asTyped = (command: string): string =>
    command
      .replaceAll('http://127.0.0.1:4318', url)
      .replace('127.0.0.1:PORT', host)
      .replace('http://user@host:8123', `http://${username}@${host}`)
      .replace('TRACE_ID', SENT.id)
      .replace(/(planspan delete )?PLAN_ID/, (_, erase = '') => `${erase}${erasable.pop()?.planId}${erase && ' --yes'}`)
      .replaceAll('/etc/planspan', cwd)
      .replace('/mnt/hdd', cwd)
      .replace('--agent scout', '--agent researcher')
      .replace('--grpc-port 4317', '--grpc-port 0')
      .replace('0.0.0.0', '127.0.0.1')
      .replace('--jaeger-port 17271', '--jaeger-port 0')
  const failures: unknown[] = []
  const runAll = async (part: readonly PageCommand[]): Promise<void> => {
    for (const { page, command } of part) {
      const typed = asTyped(command)
      const done = /^(?:npx )?planspan serve\b/.test(typed) ? shell.serve(typed) : shell.run(typed)
      await done.catch((error: unknown) => failures.push({ page, command, error: String(error) }))
    }
  }
  const needsNoServer = ({ command }: PageCommand): boolean => / (?:set-aside|serve)\b/.test(` ${command}`)
  await runAll(toRun.filter((command) => !needsNoServer(command)))
  expect((await list(`trace=${RESENT.id}`)).records).toHaveLength(1)
  await serving.end('SIGTERM')
  await runAll(toRun.filter(needsNoServer))
  expect(failures).toEqual([])
}, 300_000)
