import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { vi } from 'vitest'
import type { StoredSpan } from '../../src/semconv/index.js'
import { resume, startPlan, startResume, type PlanSpan } from '../../src/tracing/index.js'
import { installSdk } from '../tracing/in-memory-sdk.js'
import type { Call, LiveRun } from './live-calls.js'
import { storedSpan } from './stored-spans.js'

type Handle = Readonly<Record<string, (...args: unknown[]) => unknown>> & {
  readonly context: Parameters<typeof startPlan>[1]
}

const START = Date.UTC(2026, 2, 4, 12)

/** Plays a run on the live API and returns its spans as stored. */
export const playLiveRun = (run: LiveRun): StoredSpan[] => spansOfLiveRun(run).map(storedSpan)

/**
 * Plays a run on the live API and returns its spans. Each reading of the clock is a microsecond later, so a run always
 * has the same times.
 */
export function spansOfLiveRun(run: LiveRun): ReadableSpan[] {
  vi.useFakeTimers({ now: START })
  let readings = 0
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now() - START + ++readings / 1_000)
  const sdk = installSdk()
  try {
    let token = playSegment(startPlan(run.options), run)
    for (const [at, next] of run.resumes.entries()) {
      vi.advanceTimersByTime(1_000)
      if (at === 0) token = playSegment(startResume(token, next.options), next)
      else resume(token, next.options, (p) => void (token = playCalls(p as unknown as Handle, next.calls) ?? p.token))
    }
    return sdk.spans()
  } finally {
    sdk.uninstall()
    vi.restoreAllMocks()
    vi.useRealTimers()
  }
}

function playSegment(p: PlanSpan, { calls, end }: Pick<LiveRun, 'calls' | 'end'>): string {
  const token = playCalls(p as unknown as Handle, calls) ?? p.token
  finish(p as unknown as Handle, end)
  return token
}

/** Plays the calls on a handle. Returns the token if one of them suspended the plan, which stops the play. */
function playCalls(handle: Handle, calls: readonly Call[]): string | undefined {
  const guardrails: Handle[] = []
  for (const { method, args, within, after } of calls) {
    vi.advanceTimersByTime(after)
    if (method === 'suspend') return handle['suspend']?.() as string
    if (!within) {
      handle[method]?.(...args)
      continue
    }
    const options = withGuardrails(args[0] as object, guardrails)
    let token: string | undefined
    const play = (child: Handle): void => {
      if (method.endsWith('uardrail')) guardrails.push(child)
      token = playCalls(child, within.calls)
    }
    if (method.startsWith('start')) {
      const child = handle[method]?.(options) as Handle
      play(child)
      finish(child, within.end)
    } else {
      try {
        const inside = (child: unknown): void => {
          play(child as Handle)
          if (within.end === 'fail') throw new RangeError('thrown')
        }
        if (method === 'plan') finishAs(startPlan(options, handle.context) as unknown as Handle, inside)
        else handle[method]?.(options, inside)
      } catch {
        // The caller goes on.
      }
    }
    if (token !== undefined) return token
  }
  return undefined
}

function finishAs(child: Handle, inside: (child: unknown) => void): void {
  try {
    inside(child)
    child['end']?.()
  } catch (error) {
    child['fail']?.(error)
  }
}

function finish(handle: Handle, end: LiveRun['end']): void {
  if (end === 'end') handle['end']?.()
  if (end === 'fail') handle['fail']?.(new TypeError('failed'))
}

/** Replaces the position of a guardrail by its handle. */
function withGuardrails(options: object, guardrails: readonly Handle[]): object {
  if (!('guardedBy' in options)) return options
  return { ...options, guardedBy: guardrails[options.guardedBy as number] }
}
