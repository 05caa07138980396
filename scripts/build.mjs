// Compiles src/ to dist/, copies what tsc leaves behind (the .sql files) and adds the page in the browser: again only
// when what they are made of has changed.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { buildViewer } from './build-viewer.mjs'
import { digestOf, readIfThere } from './made-of.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const mark = `${root}dist/.made-of`
const page = ['index.html', 'package-lock.json', 'tsconfig.json', 'vite.config.ts', 'src'].map(
  (name) => `viewer/${name}`,
)
const sources = [
  'src',
  'tsconfig.json',
  'package.json',
  'scripts/build.mjs',
  'scripts/build-viewer.mjs',
  'node_modules/typescript/package.json',
  ...page,
]
const made = digestOf(sources.map((name) => `${root}${name}`))
if (readIfThere(mark) !== made) {
  build()
  buildViewer()
  writeFileSync(mark, made)
}

function build() {
  rmSync(`${root}dist`, { recursive: true, force: true })
  const tsc = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', root], { stdio: 'inherit' })
  if (tsc.status !== 0) process.exit(tsc.status ?? 1)
  cpSync(`${root}src`, `${root}dist`, {
    recursive: true,
    filter: (path) => !/\.(ts|js)$/.test(path),
  })
  if (existsSync(`${root}dist/cli/main.js`)) chmodSync(`${root}dist/cli/main.js`, 0o755)
}
