// Installs agent frameworks, each in its own folder below test/frameworks, and runs the tests that play stories with
// them. node scripts/test-frameworks.mjs [--update] [NAME…]   # all of them unless some are named
// --update writes what is not right into test/frameworks/results.json, instead of comparing with it.
// Without Python its frameworks are skipped, in words; in CI (CI=true) that is a failure.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../test/frameworks', import.meta.url))
const python = process.env['PYTHON'] ?? 'python3'
/** @param {string} name */
const isPython = (name) => existsSync(join(folder, name, 'requirements.txt'))
const known = readdirSync(folder).filter((name) => isPython(name) || existsSync(join(folder, name, 'package.json')))

const UPDATE = '--update'
const asked = process.argv.slice(2).filter((word) => word !== UPDATE)
const unknown = asked.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')} in test/frameworks. Known: ${known.join(', ')}`)
  process.exit(2)
}

const wanted = asked.length > 0 ? asked : known
const lacksPython = wanted.some(isPython) && !hasPython()
if (lacksPython) {
  console.error(
    `Skipped: ${wanted.filter(isPython).join(', ')}. ${python} is not Python 3.10 or newer with its venv module. ` +
      'Install it (https://www.python.org, or your package manager: python3 and python3-venv), or name another in PYTHON.',
  )
  if (process.env['CI'] === 'true') process.exit(1)
}
const installed = wanted.filter((name) => !(lacksPython && isPython(name)))
if (installed.length === 0) process.exit(0)
for (const name of installed) install(name)

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
process.exitCode = run(process.execPath, [vitest, 'run', '--project', 'frameworks'], {
  PLANSPAN_FRAMEWORKS: installed.join(' '),
  PLANSPAN_FRAMEWORKS_UPDATE: String(process.argv.includes(UPDATE)),
})

function hasPython() {
  const check = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))'
  return spawnSync(python, ['-c', check]).status === 0
}

/** @param {string} name */
function install(name) {
  const directory = join(folder, name)
  const steps = isPython(name)
    ? [
        [python, '-m', 'venv', join(directory, '.venv')],
        [
          join(directory, '.venv/bin/pip'),
          'install',
          '--quiet',
          '--disable-pip-version-check',
          '-r',
          join(directory, 'requirements.txt'),
        ],
      ]
    : [['npm', 'ci', '--prefix', directory, '--no-audit', '--no-fund', '--loglevel=error']]
  for (const [command = '', ...args] of steps) {
    if (run(command, args) !== 0) process.exit(1)
  }
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Record<string, string>} [environment]
 */
function run(command, args, environment = {}) {
  return spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...environment } }).status ?? 1
}
