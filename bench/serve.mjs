import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/**
 * Starts `planspan serve` of a build, a checkout's directory, as a process of its own. What it prints when it is ready
 * tells of its URL and of ClickHouse's.
 */
export async function serve(build, args) {
  const started = performance.now()
  const cli = join(build, 'dist/cli/main.js')
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  for await (const line of createInterface({ input: child.stdout })) {
    return {
      ...readReady(line),
      pid: child.pid,
      readyMs: performance.now() - started,
      async stop() {
        const ended = once(child, 'exit')
        end()
        await ended
      },
    }
  }
  throw new Error(`planspan serve of ${build} ended before it listened`)
}

/** What `serve --json` prints, with the passwords of its own ClickHouse, which earlier builds print themselves. */
export function readReady(line) {
  const ready = JSON.parse(line)
  if (!ready.credentialsFile) return ready
  const passwords = JSON.parse(readFileSync(ready.credentialsFile, 'utf8'))
  const signIn = (text) => {
    const url = new URL(text)
    url.password = passwords[url.username]
    return url.href
  }
  return {
    ...ready,
    clickhouseUrl: signIn(ready.clickhouseUrl),
    clickhouseReaderUrl: signIn(ready.clickhouseReaderUrl),
  }
}
