import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect, vi } from 'vitest'
import { EventSourceReader, typesOf, type Frame } from './event-source.js'

/** A server's description of a plan. */
export interface Moment {
  readonly state: string | null
  readonly verdict: string | null
  readonly record: PlanRecord
}

/** The part of a record that differs between the moments. */
interface PlanRecord {
  readonly completed: boolean
  readonly currentStepIndex: number
  readonly endTime: string | null
  readonly summary: string | null
  readonly userInputWaitState: object | null
  readonly agentExecutionSequence: readonly {
    readonly agentName: string
    readonly stepId: string | null
    readonly status: string
    readonly result: string | null
    readonly endTime: string | null
    readonly thinkActSteps: readonly {
      readonly actEndTime: string | null
      readonly actToolInfoList: readonly { readonly name: string; readonly result: string | null }[]
      readonly planspan: { readonly waits: readonly object[] } | null
    }[]
  }[]
  readonly planspan: { readonly waits: readonly object[] }
}

/** The life of the plan of examples/long-plan.mjs, as observed. */
export interface LongPlanLife {
  readonly planId: string
  /** Waits for a form to be submitted. */
  readonly asking: Moment
  /** Hangs in a tool call. */
  readonly acting: Moment
  /** Killed with -9. */
  readonly dead: Moment
  /** Continues in a second process, which waits for an approval. */
  readonly approving: Moment
  readonly done: Moment
  /** The events that a client of the stream received from the first moment to the end. */
  readonly events: readonly Frame[]
}

/**
 * Runs the example in its two processes and reads the record at five moments.
 *
 * @param endpoint where the processes send their spans
 * @param server where the record is read, base URL
 */
export async function runLongPlan(endpoint: string, server: string): Promise<LongPlanLife> {
  const planId = `plan-${randomUUID()}`
  const at = (state: string, holds: (record: PlanRecord) => boolean = () => true) =>
    vi.waitFor(() => momentOf(server, planId, state, holds), { timeout: 30_000, interval: 50 })

  const home = mkdtempSync(join(tmpdir(), 'planspan-long-plan-'))
  const start = (example: string) =>
    startExample(example, planId, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TMPDIR: home })
  const first = start('long-plan')
  try {
    const asking = await at('waiting', ({ agentExecutionSequence }) => agentExecutionSequence.length === 2)
    const events: Frame[] = []
    const watching = watchEvents(server, planId, events)
    // Awaited at the end; a test that has failed before reports its own error.
    watching.catch(() => undefined)
    first.stdin?.write('2026-12-01\n')
    const acting = await at('running', (record) => toolsOf(record).some(({ name }) => name === 'book'))
    first.kill('SIGKILL')
    const dead = await at('interrupted')
    await vi.waitFor(() => expect(typesOf(events)).toContain('error'), { timeout: 30_000, interval: 50 })
    const second = start('long-plan-resume')
    try {
      const approving = await at('waiting', ({ userInputWaitState }) => userInputWaitState !== null)
      second.stdin?.write('y\n')
      await once(second, 'exit')
      const done = await at('completed')
      await watching
      return { planId, asking, acting, dead, approving, done, events }
    } finally {
      second.kill('SIGKILL')
    }
  } finally {
    first.kill('SIGKILL')
    rmSync(home, { recursive: true })
  }
}

const startExample = (example: string, planId: string, env: Readonly<Record<string, string>>): ChildProcess =>
  spawn(process.execPath, [`examples/${example}.mjs`, planId], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  })

const toolsOf = ({ agentExecutionSequence }: PlanRecord) =>
  agentExecutionSequence.flatMap(({ thinkActSteps }) =>
    thinkActSteps.flatMap(({ actToolInfoList }) => actToolInfoList ?? []),
  )

async function momentOf(
  server: string,
  planId: string,
  state: string,
  holds: (record: PlanRecord) => boolean,
): Promise<Moment> {
  const response = await fetch(`${server}/api/records/${planId}?format=plan-execution`)
  expect(response.status).toBe(200)
  const { headers } = response
  const record = (await response.json()) as PlanRecord
  expect(headers.get('planspan-state')).toBe(state)
  expect(holds(record)).toBe(true)
  return { state, verdict: headers.get('planspan-verdict'), record }
}

/** Watches like a browser: reconnects after the last event while the plan is running. */
async function watchEvents(server: string, planId: string, frames: Frame[]): Promise<void> {
  for (let lastId: string | undefined; frames.at(-1)?.event !== 'done'; lastId = frames.at(-1)?.id) {
    const response = await fetch(`${server}/api/records/${planId}/events`, {
      headers: lastId === undefined ? {} : { 'last-event-id': lastId },
    })
    if (response.status === 204) break
    expect(response.status).toBe(200)
    const reader = new EventSourceReader(response.body!)
    await reader.toEnd()
    frames.push(...reader.frames)
  }
}
