// Runs the endurance tests for a given time or number of rounds: node scripts/test-endurance.mjs kill [--rounds N], or
// node scripts/test-endurance.mjs fuzz [--seconds N] [--seed N].
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** @type {Record<string, Record<string, string>>} */
const DEFAULTS = { kill: { rounds: '10' }, fuzz: { seconds: '60', seed: String(Date.now() % 2 ** 31) } }

const [project = '', ...args] = process.argv.slice(2)
const defaults = DEFAULTS[project]
if (!defaults) throw new Error(`There is no ${project}. There are: ${Object.keys(DEFAULTS).join(', ')}.`)
const { values } = parseArgs({
  args,
  options: Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: 'string', default: value }]),
  ),
})
const environment = Object.entries(values).map(([name, value]) => {
  if (!/^\d+$/.test(value)) throw new Error(`--${name} takes a whole number, not ${value}.`)
  return [`PLANSPAN_${project}_${name}`.toUpperCase(), value]
})
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const run = spawnSync(process.execPath, [vitest, 'run', '--project', project], {
  stdio: 'inherit',
  env: { ...process.env, ...Object.fromEntries(environment) },
})
process.exitCode = run.status ?? 1
