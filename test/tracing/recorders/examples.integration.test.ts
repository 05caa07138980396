import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startReceiver } from '../otlp-receiver.js'

const run = promisify(execFile)

test.each([
  ['lynxe', ['invoke_workflow', 'invoke_agent WRITER', 'execute_tool find-facts', 'invoke_agent SCOUT']],
  ['manus', ['invoke_workflow plan_act', 'plan planner', 'wait_for_user', 'execute_tool browser_navigate']],
  ['safepred', ['invoke_workflow', 'chat gpt-4o', 'run_guardrail safety', 'execute_tool pyautogui']],
])('the %s example sends its plan and drops nothing', async (name, spans) => {
  const receiver = await startReceiver()
  try {
    const { stdout, stderr } = await run(process.execPath, [`examples/${name}-recorder.mjs`], {
      env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint },
      timeout: 30_000,
    })
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^planspan show \S+\n$/)
    expect(receiver.spanNames()).toEqual(expect.arrayContaining(spans))
  } finally {
    await receiver.close()
  }
})
