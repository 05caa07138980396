import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

import { temporaryDirectory } from '../clickhouse/temporary-directory.js'
import { runCli } from './run-cli.js'

test('demo --once shows the sample agent’s spans and its complete record, and leaves nothing behind', async () => {
  const directory = temporaryDirectory()
  const { code, out, err } = await runCli(['demo', '--once'], { environment: { TMPDIR: directory } })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/invoke_workflow trip {2}completed/)
  expect(out).toMatch(/├─ invoke_agent researcher {2}completed/)
  expect(out).toMatch(/execute_tool book_hotel {2}failed/)
  expect(out).toMatch(/run_guardrail \w+ .*risk 0\.\d+/)
  expect(out).toMatch(/\d+ → \d+ tokens/)
  expect(out).toMatch(/"agentExecutionSequence": \[/)
  expect(out).toMatch(/"spans": "… \d+ spans, for an import of the record"/)
  expect(out).toMatch(/complete {2}completed {2}plan-execution, trace [0-9a-f]{32}/)
  expect(out).not.toMatch(/curl/)
  expect(readdirSync(directory)).toEqual([])
})
