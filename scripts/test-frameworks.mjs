// Installs agent frameworks, each in its own folder below test/frameworks, and runs the tests that play stories with
// them. node scripts/test-frameworks.mjs [--update] [NAME…]   # all of them unless some are named
// --update writes what is not right into test/frameworks/results.json, instead of comparing with it.
// Frameworks of a language that the machine lacks are skipped, in words; in CI (CI=true) that is a failure.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../test/frameworks', import.meta.url))
const python = process.env['PYTHON'] ?? 'python3'

/** A Python that can make a virtual environment. */
const PYTHON_CHECK = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))'

/**
 * The languages of frameworks, by the file that a framework’s folder contains: a command that fails on a machine
 * without the language, what to install then, and the commands that install a framework in its folder.
 */
const LANGUAGES = [
  {
    file: 'requirements.txt',
    lack:
      `${python} is not Python 3.10 or newer with its venv module. Install it (https://www.python.org, or your package ` +
      'manager: python3 and python3-venv), or name another in PYTHON.',
    check: [python, '-c', PYTHON_CHECK],
    install: [
      [python, '-m', 'venv', '.venv'],
      ['.venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'],
    ],
  },
  {
    file: 'package.json',
    lack: 'There is no npm. Install Node.js with npm (https://nodejs.org).',
    check: ['npm', '--version'],
    install: [['npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error']],
  },
  {
    file: 'go.mod',
    lack: 'There is no Go. Install Go 1.26 or newer (https://go.dev/dl).',
    check: ['go', 'version'],
    install: [['go', 'build', '-o', 'play', '.']],
  },
  {
    file: 'pom.xml',
    lack: 'There is no Maven. Install a JDK and Maven (https://maven.apache.org, or your package manager: maven).',
    check: ['mvn', '--version'],
    install: [['mvn', '--quiet', '--batch-mode', 'package']],
  },
]

/** @param {string} name */
const languageOf = (name) => LANGUAGES.find(({ file }) => existsSync(join(folder, name, file)))
const known = readdirSync(folder).filter((name) => languageOf(name) !== undefined)

const UPDATE = '--update'
const asked = process.argv.slice(2).filter((word) => word !== UPDATE)
const unknown = asked.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')} in test/frameworks. Known: ${known.join(', ')}`)
  process.exit(2)
}

const wanted = asked.length > 0 ? asked : known
const lacking = LANGUAGES.filter((language) => wanted.some((name) => languageOf(name) === language)).filter(
  ({ check: [program = '', ...args] }) => spawnSync(program, args).status !== 0,
)
for (const language of lacking) {
  const skipped = wanted.filter((name) => languageOf(name) === language)
  console.error(`Skipped: ${skipped.join(', ')}. ${language.lack}`)
}
if (lacking.length > 0 && process.env['CI'] === 'true') process.exit(1)
const installed = wanted.filter((name) => lacking.every((language) => languageOf(name) !== language))
if (installed.length === 0) process.exit(0)
for (const name of installed) {
  for (const [program = '', ...args] of languageOf(name)?.install ?? []) {
    if (run(program, args, { cwd: join(folder, name) }) !== 0) process.exit(1)
  }
}

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
process.exitCode = run(process.execPath, [vitest, 'run', '--project', 'frameworks'], {
  env: {
    ...process.env,
    PLANSPAN_FRAMEWORKS: installed.join(' '),
    PLANSPAN_FRAMEWORKS_UPDATE: String(process.argv.includes(UPDATE)),
  },
})

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} options
 */
function run(command, args, options) {
  return spawnSync(command, args, { stdio: 'inherit', ...options }).status ?? 1
}
