// Builds the page in the browser, viewer/, to dist/viewer: again only when what it is made of has changed.
import { spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { digestOf, readIfThere } from './made-of.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const viewer = join(root, 'viewer')

/** Installs what the page is built with where that has changed, too. */
export function buildViewer() {
  const lockfile = digestOf([join(viewer, 'package-lock.json')])
  const installed = join(viewer, 'node_modules/.planspan-lockfile')
  if (readIfThere(installed) !== lockfile) {
    run('npm', ['ci', '--include=dev', '--no-dry-run', '--no-audit', '--no-fund'])
    writeFileSync(installed, lockfile)
  }
  const sources = ['index.html', 'vite.config.ts', 'tsconfig.json', 'src'].map((name) => join(viewer, name))
  const made = digestOf([
    join(viewer, 'package-lock.json'),
    ...sources,
    join(root, 'src/client'),
    join(root, 'src/wire'),
    join(root, 'src/semconv'),
    join(root, 'src/mapping'),
  ])
  const mark = join(viewer, 'build/.made-of')
  if (readIfThere(mark) !== made) {
    run('npm', ['run', '--silent', 'build', '--', '--logLevel', 'warn'])
    writeFileSync(mark, made)
  }
  cpSync(join(viewer, 'build'), join(root, 'dist/viewer'), { recursive: true, filter: (path) => path !== mark })
}

/** @param {string} command @param {string[]} args */
function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: viewer, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}
