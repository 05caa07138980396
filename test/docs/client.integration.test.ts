import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

import { createClient } from '../../src/client/index.js'
import { startServer } from '../../src/server/index.js'
import { freshDatabase } from '../support/clickhouse.js'

const run = promisify(execFile)
const page = readFileSync('docs/client.md', 'utf8')

test('the code of docs/client.md prints the documented output', async () => {
  const { url, database, drop } = await freshDatabase()
  const server = await startServer({ clickhouse: url, database, port: 0 })
  try {
    const env = {
      ...process.env,
      OTEL_EXPORTER_OTLP_ENDPOINT: server.url,
      PLANSPAN_ENDPOINT: server.url,
      CLICKHOUSE_URL: url,
      CLICKHOUSE_DATABASE: database,
    }
    await run(process.execPath, ['examples/ten-lines.mjs'], { env })
    const waiting = readFileSync('test/fixtures/lynxe/details-waiting-input.json')
    await fetch(`${server.url}/api/records`, { method: 'POST', body: waiting })
    const code = [...page.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, block]) => block).join('\n')
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { env })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.slice(0, 7)).toEqual([
      '1 null',
      'plan-rome completed',
      "1 [ { value: 'search', plans: 1 } ]",
      'complete completed A day in Rome',
      'it has not changed',
      'plan-rome',
      'plan-1767061562002 waiting',
    ])
    expect(lines).toContain('invoke_agent researcher')
    expect(lines).toContain('done')
    expect(stdout).toMatch(/^plan-rome complete \{/m)
    expect(stdout).toMatch(/^not_found 404 No plan and no step "nobody"/m)
    expect(lines.at(-1)).toBe('the store is ready')
  } finally {
    await server.close()
    await drop()
  }
})

test('docs/client.md describes each method', () => {
  const { endpoint: _, ...methods } = createClient({ endpoint: 'http://127.0.0.1:4318' })
  expect(Object.keys(methods).filter((name) => !new RegExp(`\\b${name}\\(`).test(page))).toEqual([])
})
