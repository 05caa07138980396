// Compiles src/ to dist/, copies what tsc leaves behind (the .sql files) and adds the page in the browser.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { buildViewer } from './build-viewer.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
rmSync(`${root}dist`, { recursive: true, force: true })
const tsc = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', root], { stdio: 'inherit' })
if (tsc.status !== 0) process.exit(tsc.status ?? 1)
cpSync(`${root}src`, `${root}dist`, {
  recursive: true,
  filter: (path) => !/\.(ts|js)$/.test(path),
})
if (existsSync(`${root}dist/cli/main.js`)) chmodSync(`${root}dist/cli/main.js`, 0o755)
buildViewer()
