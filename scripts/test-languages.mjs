// Runs the examples in other languages, which are built first, and asks models of others whether they take what
// planspan writes. Arguments go to vitest.
// Those whose language is not there are skipped, in words; in CI (CI=true) that is a failure.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { buildExamples } from './language-examples.mjs'
import { pythonModels } from './python-models.mjs'

const { built, missing } = await buildExamples()
const models = await pythonModels()
if ('missing' in models) missing.push(models.missing)
for (const message of missing) console.error(`Skipped, ${message}`)
if (missing.length > 0 && process.env['CI'] === 'true') process.exit(1)
if (built.length > 0) {
  const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
  const run = spawnSync(process.execPath, [vitest, 'run', '--project', 'languages', ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  process.exitCode = run.status ?? 1
}
