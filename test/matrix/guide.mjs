import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { run, start } from './run-command.mjs'

/** A page that leads from an agent with an SDK to its plan. */
const page = readFileSync(new URL('../../docs/instrument.md', import.meta.url), 'utf8')
const files = [...page.matchAll(/^<!-- (\S+) -->\n```js\n([^]*?)^```$/gm)]
const commands = [...page.matchAll(/^```console\n\$ (.*)\n```$/gm)].map(([, command = '']) => command)

/** Its commands, in order. */
export const [INSTALL = '', SERVE = '', RUN = '', SHOW = ''] = commands
assert.equal(commands.length, 4)

/** The commands after the installation, in a user's project. @type {import('./checks.mjs').Check} */
export async function followGuide({ directory: cwd, bin }) {
  for (const [, name = '', code = ''] of files) writeFileSync(join(cwd, name), code)
  // A free port, where the guide has 4318.
  const server = start(`exec ${SERVE.replace('npx planspan', 'node_modules/.bin/planspan')} --json --port 0`, {
    cwd,
    bin,
  })
  const ended = once(server, 'close')
  try {
    const [line] = await Promise.race([once(createInterface(server.stdout), 'line'), ended])
    const { url } = JSON.parse(String(line))
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' }
    assert.equal(await run(RUN, { cwd, bin, environment }), 'three museums in Rome\n')
    const { userRequest, agentExecutionSequence } = JSON.parse(await run(SHOW, { cwd, bin, environment }))
    assert.deepEqual([userRequest, agentExecutionSequence[0].agentRequest], ['A day in Rome', 'Find museums.'])
    const [{ thinkOutput, actToolInfoList, planspan }] = agentExecutionSequence[0].thinkActSteps
    assert.deepEqual(
      [thinkOutput, actToolInfoList[0].result, planspan.usage.totalTokens],
      ['I shall search.', 'three museums in Rome', 1280],
    )
  } finally {
    server.kill('SIGTERM')
    await ended
  }
}
