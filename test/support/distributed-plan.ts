import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const run = promisify(execFile)

/** Starts a worker, and the example of a plan that calls it. Returns the plan's id when both have sent their spans. */
export async function playDistributedPlan(worker: readonly string[], endpoint: string): Promise<string> {
  const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
  const [command = '', ...args] = worker
  const child = spawn(command, [...args, '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const { stdout } = await run(process.execPath, ['examples/distributed-plan.mjs', port.toString().trim()], { env })
  child.kill('SIGTERM')
  await once(child, 'exit')
  return /^planspan show (\S+)\n$/.exec(stdout)?.[1] ?? ''
}
