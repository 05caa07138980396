import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** The spans that the agents' process has ended, as it reports them. */
export interface AgentsReport {
  readonly plans: readonly string[]
  /** The number of spans that the SDK gave up on. */
  readonly undelivered: number
}

/** The SDK's exporter retries five times within this time, for a machine on which a start takes long. */
const PATIENCE_MS = 60_000

/** The parts of each plan of the process. */
export const TOOLS_A_PLAN = 2

const script = fileURLToPath(new URL('agents.mjs', import.meta.url))

/** Starts a process with the real SDK that runs plans until the test ends it. */
export function startAgents(endpoint: string, prefix: string): { end(): Promise<AgentsReport>; kill(): void } {
  const child = spawn(process.execPath, [script, endpoint, prefix, '3'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, OTEL_EXPORTER_OTLP_TIMEOUT: String(PATIENCE_MS) },
  })
  const printed = text(child.stdout)
  return {
    async end() {
      const ended = child.exitCode === null ? once(child, 'exit') : undefined
      child.stdin.end()
      await ended
      return JSON.parse(await printed) as AgentsReport
    },
    kill: () => child.kill('SIGKILL'),
  }
}
