import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** The command as users run it, from `npm run build`. */
export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

const TIMEOUT_MS = 30_000

export interface CliResult {
  readonly code: number | null
  readonly stdout: Buffer
  readonly out: string
  readonly err: string
}

export interface CliOptions {
  readonly input?: Uint8Array
  readonly cwd?: string
  readonly environment?: Readonly<Record<string, string>>
  /** The command that runs the program, and its arguments. @default none */
  readonly enter?: readonly string[]
}

/** The environment without variables that would change a command's behavior. */
export function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(OTEL_|CLICKHOUSE_|PLANSPAN_|NO_COLOR|FORCE_COLOR)/.test(name),
  )
  // Without the configuration of the person who runs the tests.
  return { ...Object.fromEntries(inherited), XDG_CONFIG_HOME: '/nowhere', ...extra }
}

/** Runs a command until it exits. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const [command = '', ...rest] = [...(options.enter ?? []), process.execPath, MAIN, ...args]
  const child = spawn(command, rest, {
    cwd: options.cwd,
    env: cleanEnvironment(options.environment),
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  child.stdin.end(options.input)
  const [code] = (await once(child, 'close')) as [number | null]
  const all = Buffer.concat(stdout)
  return { code, stdout: all, out: all.toString(), err: Buffer.concat(stderr).toString() }
}

/** The output of `serve --json`. */
export interface ServeLine {
  readonly url: string
  readonly grpcUrl: string | null
  readonly jaegerEndpoint: string | null
  readonly clickhouseUrl: string
  readonly clickhouseReaderUrl: string
  readonly clickhouseNativePort: number
  readonly credentialsFile: string | null
  readonly pid: number
  readonly dataDirectory: string
  readonly coldDirectory: string | null
}

export interface Serving {
  readonly line: ServeLine
  /** The embedded ClickHouse's URLs, with the passwords that `serve` does not print. */
  readonly clickhouse: { readonly url: string; readonly readerUrl: string }
  readonly child: ChildProcess
  /** Sends a signal and resolves to the exit code and signal. */
  end(signal: NodeJS.Signals): Promise<[code: number | null, signal: NodeJS.Signals | null]>
}

export interface ServeOptions extends CliOptions {
  /** Receives the log. @default the log of the tests */
  readonly log?: (text: string) => void
  /** Where the test finds the data directory. @default where the server finds it */
  readonly data?: string
}

/** Starts `planspan serve --json` on a free port and resolves when it is ready. */
export async function startServe(args: readonly string[], options: ServeOptions = {}): Promise<Serving> {
  const program = [process.execPath, MAIN, 'serve', '--json', '--port', '0', ...args]
  const [command = '', ...rest] = [...(options.enter ?? []), ...program]
  const child = spawn(command, rest, {
    env: cleanEnvironment(options.environment),
    stdio: ['ignore', 'pipe', options.log ? 'pipe' : 'inherit'],
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => options.log?.(text))
  const lines = createInterface({ input: child.stdout as Readable })
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const line = await Promise.race([
    once(lines, 'line', { signal }).then(([text]) => text as string),
    once(child, 'exit').then(([code]): never => {
      throw new Error(`planspan serve ended with ${String(code)} before it was ready.`)
    }),
  ])
  const ready = JSON.parse(line) as ServeLine
  return {
    line: ready,
    clickhouse: signIn(ready, options.data),
    child,
    async end(name) {
      const ended = once(child, 'exit', { signal: AbortSignal.timeout(TIMEOUT_MS) })
      child.kill(name)
      return (await ended) as [number | null, NodeJS.Signals | null]
    },
  }
}

function signIn(
  { clickhouseUrl, clickhouseReaderUrl, credentialsFile, dataDirectory }: ServeLine,
  seenAt = dataDirectory,
): Serving['clickhouse'] {
  if (credentialsFile === null) return { url: '', readerUrl: '' }
  const file = credentialsFile.replace(dataDirectory, seenAt)
  const passwords = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  const complete = (text: string) => {
    const url = new URL(text)
    url.password = passwords[url.username] ?? ''
    return url.href
  }
  return { url: complete(clickhouseUrl), readerUrl: complete(clickhouseReaderUrl) }
}
