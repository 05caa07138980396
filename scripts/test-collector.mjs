// Runs the tests that need Go programs, which are built first. Arguments go to vitest.
// Without Go they are skipped, in words; in CI (CI=true) that is a failure.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { ToolMissing } from './build-cache.mjs'
import { buildGoBinary, goBinaries } from './go-binaries.mjs'

try {
  for (const name of goBinaries) await buildGoBinary(name)
} catch (error) {
  if (!(error instanceof ToolMissing)) throw error
  console.error(`Skipped, no test was run: ${error.message}`)
  process.exit(process.env['CI'] === 'true' ? 1 : 0)
}
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const run = spawnSync(process.execPath, [vitest, 'run', '--project', 'collector', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exitCode = run.status ?? 1
