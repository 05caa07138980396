import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { run } from './run-command.mjs'

/** The tested releases of Node.js, each with the npm that it contains. */
export const RELEASES = /** @type {const} */ ({
  20: { node: '20.19.0', npm: '10.8.2' },
  22: { node: '22.21.1', npm: '10.9.4' },
  24: { node: '24.11.1', npm: '11.6.2' },
})

/** @typedef {keyof typeof RELEASES} Release */

/**
 * Installs a release through npm; returns the directory of its `node`, `npm` and `npx`.
 * @param {Release} release
 * @param {string} directory
 */
export async function bringToolchain(release, directory) {
  const { node, npm } = RELEASES[release]
  const package_ = `node-${process.platform}-${process.arch}`
  const bin = join(directory, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(directory, 'package.json'), '{ "private": true }')
  await run(`npm install ${package_}@${node} npm@${npm}`, { cwd: directory })
  const modules = join(directory, 'node_modules')
  symlinkSync(join(modules, package_, 'bin/node'), join(bin, 'node'))
  for (const name of ['npm', 'npx']) symlinkSync(join(modules, `npm/bin/${name}-cli.js`), join(bin, name))
  return bin
}
