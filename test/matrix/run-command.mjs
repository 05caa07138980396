import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'

const TIMEOUT_MS = 5 * 60_000

/**
 * @typedef {object} Surroundings
 * @property {string} cwd
 * @property {string} [bin] A directory that precedes those of PATH.
 * @property {Readonly<Record<string, string>>} [environment]
 */

/**
 * A shell command as a user types it, without the variables of the npm that runs this script, and without the user's
 * settings of OpenTelemetry and for peers.
 * @param {string} command
 * @param {Surroundings} surroundings
 */
export function start(command, { cwd, bin, environment = {} }) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_)|npm_config_.*(prefix|peer_deps|force)|OTEL_|NODE_OPTIONS)/i.test(name),
  )
  const path = [bin, process.env['PATH']].filter(Boolean).join(':')
  return spawn(command, {
    shell: true,
    cwd,
    env: { ...Object.fromEntries(inherited), CI: 'true', npm_config_audit: 'false', PATH: path, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  })
}

/**
 * Runs a command until it exits; returns its standard output. Throws an error with the whole output if the exit code
 * is unexpected.
 * @param {string} command
 * @param {Surroundings & { exitCode?: number }} surroundings
 */
export async function run(command, { exitCode = 0, ...surroundings }) {
  const child = start(command, surroundings)
  const [output, errors] = [child.stdout, child.stderr].map(textOf)
  const [code, signal] = await once(child, 'close')
  if (code === exitCode) return output?.() ?? ''
  throw new Error(`${command}\nended with ${String(signal ?? code)}, not ${exitCode}:\n${output?.()}${errors?.()}`)
}

/** @param {import('node:stream').Readable} stream */
function textOf(stream) {
  let text = ''
  stream.setEncoding('utf8').on('data', (/** @type {string} */ part) => {
    text += part
  })
  return () => text
}
