import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { startServer } from '../../src/server/index.js'
import { runCli } from '../cli/run-cli.js'
import { freshDatabase } from '../support/clickhouse.js'
import { startLynxe } from '../support/lynxe-server.mjs'

const page = readFileSync('docs/follow.md', 'utf8')
const commands = [...page.matchAll(/^npx planspan (follow .*)$/gm)].map(([, command = '']) => command.split(' '))
const fixture = (path: string): string => join('test/fixtures', path)

/** A session of ManusX that sends all of its events once. */
async function startManus(): Promise<string> {
  const server = createServer((request, response) => {
    const isKnown = request.method === 'POST' && request.headers.authorization === 'Bearer abc'
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'text/event-stream' })
    response.end(isKnown ? readFileSync(fixture('plan-act/default-mock/chat.sse')) : '')
  })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
}

test('docs/follow.md: each command imports the documented records', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  const { url, database, drop } = await freshDatabase()
  const server = await startServer({ clickhouse: url, database, port: 0 })
  const lynxe = await startLynxe()
  onTestFinished(async () => {
    await lynxe.close()
    await server.close()
    await drop()
    rmSync(cwd, { recursive: true, force: true })
  })
  const plan = JSON.parse(readFileSync(fixture('lynxe/details-waiting-input.json'), 'utf8')) as never
  lynxe.plans.set('plan-1767061562002', plan)
  lynxe.conversations.set('conversation-1', ['plan-1767061562002'])
  mkdirSync(join(cwd, 'output/plans'), { recursive: true })
  mkdirSync(join(cwd, 'results'))
  copyFileSync(fixture('review-log/plan_run_record.jsonl'), join(cwd, 'output/plans/plans.jsonl'))
  copyFileSync(fixture('trajectory/execution_trajectory.json'), join(cwd, 'results/execution_trajectory.json'))
  writeFileSync(join(cwd, 'headers.txt'), 'Authorization: Bearer abc\n')
  const manus = await startManus()
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: server.url, XDG_STATE_HOME: join(cwd, 'state') }
  const reports: string[] = []
  for (const command of commands) {
    const args = command.map((word) =>
      word.replace('http://127.0.0.1:18080', lynxe.url).replace('http://127.0.0.1:8000', manus),
    )
    const { code, out, err } = await runCli([...args, '--once'], { cwd, environment })
    expect({ code, command, err }).toEqual({ code: 0, command, err: expect.any(String) })
    reports.push(out)
  }
  expect(reports).toEqual([
    '1 plan: 1 record, 4 spans\n',
    '1 plan: 1 record, 4 spans\n',
    '1 plan: 1 record, 18 spans\n',
    '1 plan: 1 record, 4 spans\n',
    '1 plan: 1 record, 20 spans\n',
    // Another time zone changes how the file is read.
    expect.stringMatching(/"event":"imported".*\n\{"event":"ended","plans":1,"records":1,"spans":20,"refused":0\}\n$/),
  ])
})
