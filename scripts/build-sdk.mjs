// Builds packages/sdk/dist, the package for agents: one ES module, its types, and the same for CommonJS.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

const root = fileURLToPath(new URL('..', import.meta.url))
const sdk = join(root, 'packages/sdk')
const dist = join(sdk, 'dist')
const declarations = join(dist, 'declarations')

/** The error class has an entry point of its own, so that planspan's command line loads no more than the class. */
const ENTRIES = ['index', 'error']

export async function buildSdk() {
  rmSync(dist, { recursive: true, force: true })
  const tsc = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', sdk], {
    stdio: 'inherit',
  })
  if (tsc.status !== 0) process.exit(tsc.status ?? 1)
  await bundle(join(root, 'src/sdk'), 'ts', [])
  await bundle(join(declarations, 'sdk'), 'd.ts', [dts({ dtsInput: true })])
  rmSync(declarations, { recursive: true })
  for (const entry of ENTRIES) writeCommonJs(entry)
}

/** @param {string} folder @param {string} extension @param {import('rolldown').Plugin[]} plugins */
async function bundle(folder, extension, plugins) {
  const build = await rolldown({
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(folder, `${entry}.${extension}`)])),
    platform: 'node',
    external: /^(@opentelemetry|node:)/,
    resolve: { alias: { '@planspan/sdk/error': join(folder, `error.${extension}`) } },
    plugins,
  })
  await build.write({ dir: dist, chunkFileNames: '[name].js', comments: { jsdoc: false } })
  await build.close()
}

/**
 * Node.js loads ES modules by require(), so CommonJS users get the same module, with the same state. TypeScript needs
 * declarations of its own for it.
 *
 * @param {string} entry
 */
function writeCommonJs(entry) {
  const types = readFileSync(join(dist, `${entry}.d.ts`), 'utf8')
  writeFileSync(join(dist, `${entry}.cjs`), `module.exports = require('./${entry}.js')\n`)
  writeFileSync(join(dist, `${entry}.d.cts`), types.replaceAll('"./error.js"', '"./error.cjs"'))
}
