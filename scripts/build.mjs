// Builds both packages: @planspan/sdk to packages/sdk/dist; planspan to dist, with what tsc leaves behind (the .sql
// files) and the page in the browser. Builds again only when what they are made of has changed.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { buildSdk } from './build-sdk.mjs'
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
  'tsconfig.build.json',
  'package.json',
  'packages/sdk/package.json',
  'packages/sdk/tsconfig.json',
  'scripts/build.mjs',
  'scripts/build-sdk.mjs',
  'scripts/build-viewer.mjs',
  'node_modules/typescript/package.json',
  'node_modules/rolldown/package.json',
  ...page,
]
const made = digestOf(sources.map((name) => `${root}${name}`))
if (readIfThere(mark) !== made) {
  // The types of planspan refer to those of the SDK.
  await buildSdk()
  build()
  buildViewer()
  writeFileSync(mark, made)
}

function build() {
  rmSync(`${root}dist`, { recursive: true, force: true })
  const tsc = spawnSync(
    process.execPath,
    [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}tsconfig.build.json`],
    {
      stdio: 'inherit',
    },
  )
  if (tsc.status !== 0) process.exit(tsc.status ?? 1)
  cpSync(`${root}src`, `${root}dist`, {
    recursive: true,
    filter: (path) => !/\.(ts|js)$/.test(path),
  })
  if (existsSync(`${root}dist/cli/main.js`)) chmodSync(`${root}dist/cli/main.js`, 0o755)
}
