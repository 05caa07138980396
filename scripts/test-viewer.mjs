// Looks at the page in a real browser. Arguments go to vitest. Screenshots are left in viewer/screenshots.
// Without a Chromium it says so and runs no tests; in CI (CI=true) that is a failure.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { findChromium, NO_CHROMIUM } from './find-chromium.mjs'

if (findChromium() === undefined) {
  console.error(`Skipped. ${NO_CHROMIUM}`)
  process.exit(process.env['CI'] === 'true' ? 1 : 0)
}
const rest = process.argv.slice(2)
if (rest.length === 0) rmSync(new URL('../viewer/screenshots', import.meta.url), { recursive: true, force: true })
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const run = spawnSync(process.execPath, [vitest, 'run', '--project', 'viewer', ...rest], { stdio: 'inherit' })
process.exitCode = run.status ?? 1
