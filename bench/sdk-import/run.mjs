// What importing @planspan/sdk costs an agent on top of its OpenTelemetry SDK: CPU time, modules, bytes of a bundle.
// With --project it is compared with a package that is installed there, such as an earlier version.
// npm run build && node bench/sdk-import/run.mjs [--rounds 31] [--project DIR --package NAME]
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { machine, quantile, table } from '../figures.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '31' },
    project: { type: 'string' },
    package: { type: 'string', default: 'planspan' },
  },
})
const MAX_MILLIS = 30
const root = join(import.meta.dirname, '../..')
const SDK = ['api', 'sdk-trace', 'exporter-trace-otlp-http', 'context-async-hooks', 'resources'].map(
  (name) => `@opentelemetry/${name}`,
)
const HOOKS = `export function load(url, context, next) {
  if (!url.startsWith('node:')) process._rawDebug(url)
  return next(url, context)
}`

/** @typedef {{ name: string, cwd: string, millis: number[] }} Side */

/** @type {Side[]} */
const sides = [
  ...(values.project === undefined ? [] : [{ name: values.package, cwd: values.project, millis: [] }]),
  { name: '@planspan/sdk', cwd: root, millis: [] },
]
for (let round = 0; round < Number(values.rounds); round++) {
  for (const side of sides) side.millis.push(importMillis(side))
}

const rows = []
for (const side of sides) {
  rows.push([
    `\`${side.name}\``,
    quantile(side.millis, 0.5).toFixed(1),
    quantile(side.millis, 0.9).toFixed(1),
    modulesOf(side),
    ((await bundledBytes(side, 'export { plan, register }')) / 1000).toFixed(1),
    ((await bundledBytes(side, 'export *')) / 1000).toFixed(1),
  ])
}
console.log(`${machine()}, Node ${process.versions.node}, medians of ${values.rounds} rounds\n`)
console.log(table(['', 'CPU, ms', '90 %', 'modules', 'bundle with plan, register, kB', 'with all, kB'], rows))
if (quantile(sides.at(-1)?.millis ?? [], 0.5) > MAX_MILLIS) {
  console.error(`More than ${MAX_MILLIS} ms.`)
  process.exitCode = 1
}

/** @param {Side} side */
function importMillis({ name, cwd }) {
  const script = `
    for (const name of ${JSON.stringify(SDK)}) await import(name)
    const before = process.cpuUsage()
    await import('${name}')
    const { user, system } = process.cpuUsage(before)
    console.log((user + system) / 1000)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd, encoding: 'utf8' }))
}

/** Counts the modules that only the package loads. @param {Side} side */
function modulesOf({ name, cwd }) {
  const hooks = `data:text/javascript,${encodeURIComponent(HOOKS)}`
  const script = `
    const { register } = await import('node:module')
    for (const name of ${JSON.stringify(SDK)}) await import(name)
    register(${JSON.stringify(hooks)})
    await import('${name}')`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd, encoding: 'utf8' })
  return stderr.trim().split('\n').length
}

/** The size of what esbuild makes of an agent, minified and gzipped. @param {Side} side @param {string} exported */
async function bundledBytes({ name, cwd }, exported) {
  const { outputFiles } = await build({
    stdin: { contents: `${exported} from '${name}'`, resolveDir: cwd },
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    external: ['@opentelemetry/*'],
    // The paths of tsconfig.json lead to the sources.
    tsconfigRaw: {},
    write: false,
  })
  return gzipSync(outputFiles[0]?.contents ?? '').length
}
