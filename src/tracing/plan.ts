import { randomUUID } from 'node:crypto'
import { ProxyTracerProvider, trace, type Context, type Tracer } from '@opentelemetry/api'
import { SCHEMA_URL, SCOPE_NAME } from '../semconv/index.js'
import { PLANSPAN_VERSION } from '../base/version.js'
import { countDrop } from './drops.js'
import type { PlanOptions, PlanSpan } from './handles/plan-span.js'
import { LivePlan } from './live-plan.js'
import { LiveTool } from './live-tool.js'
import type { Clock } from './plan-clock.js'
import { PlanRun } from './plan-run.js'
import { readText } from './read-option.js'
import { runInSpan } from './run-in-span.js'
import { activeContext, scopeOf } from './scope.js'

/**
 * Runs a plan and ends its span when the callback, or the promise it returns, is done. A plan that starts inside a tool
 * call's callback is a sub-plan of that call's plan. Errors of the callback reach the caller.
 *
 * @example
 * await plan({ workflow: 'trip', title, request }, async (p) => {
 *   await p.agent({ name: 'researcher', step: 0 }, async (a) => {
 *     await a.cycle(async (c) => c.tool({ name: 'browse', arguments: { url } }, () => browse(url)))
 *   })
 * })
 */
export function plan<T>(options: PlanOptions, fn: (plan: PlanSpan) => T): T {
  return runInSpan((given?: PlanOptions) => openPlan(given), options, fn)
}

/**
 * Starts a plan in code that can't nest callbacks; end it with `end()` or `fail(error)`. With a tool's `context`, the
 * plan is a sub-plan of that tool's plan.
 *
 * @example
 * const p = startPlan({ workflow: 'trip' })
 * const tool = p.startAgent({ name: 'researcher' }).startCycle().startTool({ name: 'browse' })
 */
export function startPlan(options?: PlanOptions, parentContext?: Context): PlanSpan {
  return openPlan(options, parentContext)
}

/** `startPlan` with a clock. @default the parent plan's clock */
export function openPlan(
  options: PlanOptions | undefined,
  parentContext: Context = activeContext(),
  clock?: Clock,
): LivePlan {
  const scope = scopeOf(parentContext)
  const above = scope?.run
  const planId = readText(options, 'planId') ?? `plan-${randomUUID()}`
  const run = new PlanRun({
    identity: {
      planId,
      rootPlanId: above?.identity.rootPlanId ?? planId,
      conversationId: readText(options, 'conversationId') ?? above?.identity.conversationId,
    },
    tracer: above?.tracer ?? planTracer(),
    parent: above,
    clock,
  })
  const parentToolCallId = scope?.span instanceof LiveTool ? scope.span.callId : undefined
  return new LivePlan({
    run,
    parent: scope?.span,
    parentContext,
    options,
    values: { parentPlanId: above?.identity.planId, parentToolCallId },
  })
}

/** The tracer for a new plan. It is not cached, since it would outlive the provider that it came from. */
export function planTracer(): Tracer {
  try {
    return trace.getTracerProvider().getTracer(SCOPE_NAME, PLANSPAN_VERSION, { schemaUrl: SCHEMA_URL })
  } catch {
    countDrop('tracer', 'a tracer')
    return new ProxyTracerProvider().getTracer(SCOPE_NAME)
  }
}
