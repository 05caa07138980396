// What something was built from, so that it is built again only when that has changed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** @param {readonly string[]} paths Files, and folders with all that is in them. */
export function digestOf(paths) {
  const digest = createHash('sha256')
  for (const path of paths.flatMap(filesIn)) digest.update(`${path}\n`).update(readFileSync(path))
  return digest.digest('hex')
}

/** @param {string} path @returns {string[]} */
function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

/** @param {string} path */
export const readIfThere = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)
