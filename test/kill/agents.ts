import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** What the agents' process has ended, by its own account. */
export interface AgentsReport {
  readonly plans: readonly string[]
  /** Spans that the SDK gave up. */
  readonly undelivered: number
}

/** The SDK's exporter tries five times within this: for a machine on which a start takes long. */
const PATIENCE_MS = 60_000

/** What each plan of the process has. */
export const TOOLS_A_PLAN = 2

const script = fileURLToPath(new URL('agents.mjs', import.meta.url))

/** Starts a process with the real SDK, whose plans are in flight until it is told to end. */
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
