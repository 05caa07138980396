import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { run, start } from './run-command.mjs'

/** @typedef {import('./checks.mjs').Project} Project */

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/recipes.md'), 'utf8')
const files = [...page.matchAll(/^<!-- (\S+) -->\n```js\n([^]*?)^```$/gm)]
const commands = [...page.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => command)

/** The install command, and the command that starts an agent. */
export const [INSTALL = '', RUN = ''] = commands
assert.equal(commands.length, 2)

/** Writes the page's files into a user's project. @param {string} directory */
function writeFiles(directory) {
  for (const [, name = '', code = ''] of files) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), code)
  }
}

/**
 * Runs a program beside a server that stores plans, and checks that the server has exactly the plan that it reports.
 * @param {Project} project
 * @param {(environment: Record<string, string>) => Promise<string>} play returns its output, JSON with a planId
 */
async function storesPlan({ directory }, play) {
  const data = join(directory, 'planspan-data')
  const main = join(root, 'dist/cli/main.js')
  const server = start(`exec ${process.execPath} ${main} serve --json --port 0 --data ${data}`, { cwd: directory })
  const ended = once(server, 'close')
  try {
    const [line] = await Promise.race([once(createInterface(server.stdout), 'line'), ended])
    const { url } = JSON.parse(String(line))
    const { planId, found } = JSON.parse(await play({ OTEL_EXPORTER_OTLP_ENDPOINT: url }))
    assert.equal(found, 'three museums in Rome')
    const show = `${process.execPath} ${main} show ${planId} --endpoint ${url}`
    const { state, verdict } = JSON.parse(await run(`${show} --verdict --json`, { cwd: directory }))
    assert.deepEqual({ state, verdict }, { state: 'completed', verdict: 'complete' })
    const { userRequest, agentExecutionSequence } = JSON.parse(await run(show, { cwd: directory }))
    assert.deepEqual([userRequest, agentExecutionSequence[0].agentName], ['A day in Rome', 'researcher'])
  } finally {
    server.kill('SIGTERM')
    await ended
  }
}

/** An agent started with a file for `--import`. @type {import('./checks.mjs').Check} */
export async function imports(project) {
  const { directory: cwd, bin } = project
  writeFiles(cwd)
  copyFileSync(join(import.meta.dirname, 'programs/trip-agent.mjs'), join(cwd, 'agent.mjs'))
  await storesPlan(project, (environment) => run(RUN, { cwd, bin, environment }))
}

/** Functions whose process is killed after they have returned and their remaining work is done. */
export const survivesFreeze =
  (/** @type {'lambda' | 'vercel'} */ platform) =>
  /** @type {import('./checks.mjs').Check} */
  async (project) => {
    const { directory: cwd, bin } = project
    writeFiles(cwd)
    copyFileSync(join(import.meta.dirname, 'programs/platform.mjs'), join(cwd, 'platform.mjs'))
    // The shell outlives the program, which kills itself.
    await storesPlan(project, (environment) => run(`node platform.mjs ${platform}; true`, { cwd, bin, environment }))
  }

/** A Next.js app, built and started: a route that runs a plan. @type {import('./checks.mjs').Check} */
export async function nextApp(project) {
  const { directory: cwd, bin } = project
  writeFiles(cwd)
  const quiet = { NEXT_TELEMETRY_DISABLED: '1' }
  await run('npx next build', { cwd, bin, environment: quiet })
  await storesPlan(project, async (environment) => {
    const command = 'exec node_modules/.bin/next start --hostname 127.0.0.1 --port 0'
    const app = start(command, { cwd, bin, environment: { ...quiet, ...environment } })
    const ended = once(app, 'close')
    try {
      let url = ''
      for await (const line of createInterface(app.stdout)) {
        url ||= /http:\S+/.exec(line)?.[0] ?? ''
        if (line.includes('Ready')) break
      }
      const response = await fetch(`${url}/api/plan`, { method: 'POST', body: JSON.stringify({ city: 'Rome' }) })
      return await response.text()
    } finally {
      app.kill('SIGTERM')
      await ended
    }
  })
}
