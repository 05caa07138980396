import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { run, start } from './run-command.mjs'

/** The file that `npx planspan` runs. */
const PLANSPAN = 'node_modules/.bin/planspan'
const PROGRAMS = join(import.meta.dirname, 'programs')
const EXAMPLE = join(import.meta.dirname, '../../examples/ten-lines.mjs')
const TREE = ['agent_step researcher', 'execute_tool search', 'invoke_agent researcher', 'invoke_workflow trip']

/**
 * A user's project, and the receiver of its programs' spans.
 * @typedef {object} Project
 * @property {string} directory
 * @property {string} bin
 * @property {Awaited<ReturnType<typeof import('./receiver.mjs').startReceiver>>} receiver
 */

/** @typedef {(project: Project) => Promise<void>} Check */

/**
 * @param {Project} project
 * @param {string} command
 * @param {{ exitCode?: number, environment?: Record<string, string> }} [options]
 */
const inProject = ({ directory, bin }, command, options) => run(command, { cwd: directory, bin, ...options })

/** @param {Project} project @param {string} name */
export function installedVersion({ directory }, name) {
  const manifest = join(directory, 'node_modules', name, 'package.json')
  return existsSync(manifest) ? String(JSON.parse(readFileSync(manifest, 'utf8')).version) : undefined
}

/**
 * Runs a program against the receiver; returns the received spans.
 * @param {Project} project
 * @param {string} command
 */
async function sentBy(project, command) {
  const { receiver } = project
  receiver.spans.length = 0
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
  }
  assert.equal(await inProject(project, `${command} 2>&1`, { environment }), '', `${command} complained`)
  return receiver.spans
}

/** @param {Project} project @param {string} from @param {string} to */
const place = ({ directory }, from, to) => copyFileSync(from, join(directory, to))

/** The README's example. @param {Project} project */
const placeExample = (project) => place(project, EXAMPLE, 'agent.mjs')

/** The command line runs, and detects the installed packages. @type {Check} */
export async function commandLine(project) {
  assert.match(await inProject(project, 'npx planspan --help'), /serve +Receive spans/)
  const found = await inProject(project, `${PLANSPAN} doctor --endpoint http://127.0.0.1:2`, { exitCode: 3 })
  const { stdout } = { stdout: await inProject(project, 'node --version') }
  assert.ok(
    found.startsWith(`ok    planspan ${installedVersion(project, 'planspan')} on Node ${stdout.trim().slice(1)}`),
  )
}

/** An agent without its own SDK: the README's example. @type {Check} */
export async function registers(project) {
  placeExample(project)
  const spans = await sentBy(project, 'node agent.mjs')
  const names = new Set(spans.map(({ name }) => name))
  assert.deepEqual(
    TREE.filter((name) => !names.has(name)),
    [],
  )
}

/** An agent with its own SDK, and with instrumentation below its plan. @type {Check} */
export async function ownSdk(project) {
  place(project, join(PROGRAMS, 'own-sdk.mjs'), 'own-sdk.mjs')
  const spans = await sentBy(project, 'node own-sdk.mjs')
  const names = new Set(spans.map(({ name }) => name))
  assert.deepEqual(
    [...TREE, 'GET'].filter((name) => !names.has(name)),
    [],
  )
  for (const { name, attributes } of spans) {
    assert.ok(
      attributes.some(({ key }) => key === 'planspan.plan.id'),
      `${name} lacks the id of the plan`,
    )
  }
}

/** A bundled agent: an ES module with the SDK 3, CommonJS with the SDK 2, which logs this. @type {Check} */
export async function bundles(project) {
  place(project, join(PROGRAMS, 'bundled.mjs'), 'bundled.mjs')
  await inProject(project, 'npm install --no-save esbuild')
  const bundle = 'npx esbuild bundled.mjs --bundle --platform=node --log-level=warning'
  const isSdk2 = installedVersion(project, '@opentelemetry/sdk-trace')?.startsWith('2.')
  await inProject(project, `${bundle} --format=esm --outfile=bundle/agent.mjs`)
  await inProject(project, `${bundle} --format=cjs --outfile=bundle/agent.cjs`)
  for (const file of isSdk2 ? ['agent.cjs'] : ['agent.mjs', 'agent.cjs']) {
    const spans = await sentBy(project, `node bundle/${file}`)
    assert.ok(spans.some(({ name }) => name === 'invoke_workflow trip'))
  }
  if (!isSdk2) return
  const said = await inProject(project, 'node bundle/agent.mjs 2>&1', { exitCode: 1 })
  assert.match(said, /^missing_dependency register\(\) cannot load the OpenTelemetry SDK.*--packages=external/)
}

/** The costs of models are known. @type {Check} */
export async function prices(project) {
  const priceList = './node_modules/planspan/dist/server/open-store/keep-prices.js'
  const script = `import('${priceList}').then(async (list) => console.log((await list.loadPriceList()).priceOf('gpt-4o').input))`
  assert.match(await inProject(project, `node -e "${script}"`), /^[\d.]+\n$/)
}

/** A server with an embedded ClickHouse stores the example's spans, and returns its record. @type {Check} */
export async function serves(project) {
  placeExample(project)
  const { directory: cwd, bin } = project
  const server = start(`exec ${PLANSPAN} serve --json --port 0 --grpc-port 0 --jaeger-port 0`, { cwd, bin })
  const ended = once(server, 'close')
  try {
    const [line] = await Promise.race([once(createInterface(server.stdout), 'line'), ended])
    const { url, grpcUrl, jaegerEndpoint } = JSON.parse(String(line))
    assert.ok(grpcUrl && jaegerEndpoint)
    await inProject(project, 'node agent.mjs', { environment: { OTEL_EXPORTER_OTLP_ENDPOINT: url } })
    const record = JSON.parse(await inProject(project, `${PLANSPAN} show plan-rome --endpoint ${url}`))
    assert.equal(record.agentExecutionSequence[0].thinkActSteps[0].toolName, 'search')
    const found = await inProject(project, `${PLANSPAN} doctor --endpoint ${url}`)
    assert.doesNotMatch(found, /^(warn|fail)/m)
  } finally {
    server.kill('SIGTERM')
    await ended
  }
}
