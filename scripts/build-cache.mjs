// What tests and benchmarks build with other toolchains than npm: built once a machine, kept by the digest of what it
// is built from.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { arch, homedir, platform } from 'node:os'
import { join } from 'node:path'

/** There is no toolchain to build with. */
export class ToolMissing extends Error {}

/** Returns the output of a command; undefined if it is missing or fails. @param {readonly string[]} words */
export function answerOf([command = '', ...args]) {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}

/**
 * @typedef {object} Build
 * @property {string} name
 * @property {readonly string[]} files What is built; another content is another build.
 * @property {unknown} key What else it depends on, JSON data.
 * @property {() => void} [check] Called before a build; throws ToolMissing where there is nothing to build with.
 * @property {(directory: string) => Promise<string>} build Answers the path of what it built in an empty directory.
 */

/**
 * Builds something, unless it has been built on this machine before; answers its path. Keeps it in
 * PLANSPAN_BUILD_CACHE, by default ~/.cache/planspan, so that every clone shares it.
 *
 * @param {Build} what
 * @returns {Promise<string>}
 */
export async function buildOnce({ name, key, files, check, build }) {
  const cache = cacheDirectory()
  const path = join(cache, `${name}-${digestOf(key, files)}${platform() === 'win32' ? '.exe' : ''}`)
  if (existsSync(path)) return path
  check?.()
  mkdirSync(cache, { recursive: true })
  const directory = mkdtempSync(join(cache, `${name}-build-`))
  try {
    process.stderr.write(`Building ${name}: it takes a while the first time.\n`)
    const built = await build(directory)
    // Others may build the same at the same time, and none may see half of it.
    if (!existsSync(path)) renameSync(built, path)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
  return path
}

/**
 * Runs one command of a build; what it prints is the message of its failure.
 *
 * @param {readonly string[]} words
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, needs: string }} options
 * @returns {Promise<void>}
 */
export function runStep([command = '', ...args], { cwd, env = process.env, needs }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    /** @type {Buffer[]} */
    const output = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) return resolve()
      const tail = Buffer.concat(output).toString().trimEnd().split('\n').slice(-20).join('\n')
      reject(new Error(`${command} ${args.join(' ')} failed (${code}); it needs ${needs}.\n${tail}`))
    })
  })
}

const cacheDirectory = () =>
  process.env['PLANSPAN_BUILD_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'planspan')

/** @param {unknown} key @param {readonly string[]} files */
function digestOf(key, files) {
  const digest = createHash('sha256').update(JSON.stringify([platform(), arch(), key]))
  for (const file of files) digest.update(readFileSync(file))
  return digest.digest('hex').slice(0, 16)
}
