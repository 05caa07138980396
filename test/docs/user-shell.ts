import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

import { cleanEnvironment, MAIN } from '../cli/run-cli.js'

const run = promisify(execFile)
const TIMEOUT_MS = 30_000

/** A shell in a directory with planspan installed, as `planspan` and for `npx`. */
export function userShell(cwd: string, environment: Readonly<Record<string, string>>) {
  const bin = join(cwd, 'bin')
  mkdirSync(bin)
  const planspan = `exec '${process.execPath}' '${MAIN}' "$@"\n`
  for (const [name, script] of Object.entries({ planspan, npx: `shift\n${planspan}` })) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}`)
    chmodSync(join(bin, name), 0o755)
  }
  const env = { ...cleanEnvironment(environment), PATH: [bin, process.env['PATH']].join(delimiter) }
  return {
    /** Runs a command until it exits; fails if any part of its pipe fails. */
    run: async (command: string): Promise<string> => {
      const options = { cwd, env, timeout: TIMEOUT_MS, maxBuffer: 1 << 26 }
      return (await run('bash', ['-o', 'pipefail', '-c', command], options)).stdout
    },

    /** Starts a server; resolves when it reports that it is ready. */
    serve: async (command: string): Promise<void> => {
      const child = spawn('bash', ['-c', `exec ${command.replace('npx ', '')} --json --port 0`], {
        cwd,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: TIMEOUT_MS,
      })
      let said = ''
      child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part))
      const ended = once(child, 'close') as Promise<[number | null]>
      const isReady = await Promise.race([once(createInterface(child.stdout), 'line').then(() => true), ended])
      child.kill('SIGTERM')
      await ended
      if (isReady !== true) throw new Error(`${command}: ${said}`)
    },
  }
}
