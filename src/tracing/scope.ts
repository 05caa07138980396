import { context, ROOT_CONTEXT, type Context } from '@opentelemetry/api'
import type { Role } from '../semconv/index.js'
import type { LiveSpan } from './live-span.js'
import type { PlanRun } from './plan-run.js'

/** The innermost planspan span of a context, and its plan's run. */
export interface Scope {
  readonly span: LiveSpan
  readonly role: Role
  readonly run: PlanRun
}

// Not createContextKey: all copies of a package would share its keys, and another version's scope may have another
// shape.
const SCOPE_KEY = Symbol('planspan scope')

/** The innermost planspan span in a context, even below other instrumentation's spans. */
export function scopeOf(context: Context): Scope | undefined {
  try {
    return context.getValue(SCOPE_KEY) as Scope | undefined
  } catch {
    return undefined
  }
}

export const withScope = (context: Context, scope: Scope): Context => context.setValue(SCOPE_KEY, scope)

/** A context in which new plans are not sub-plans. */
export const withoutScope = (context: Context): Context => context.deleteValue(SCOPE_KEY)

/** The active context; the root context if there is no working context manager. */
export function activeContext(): Context {
  try {
    return context.active()
  } catch {
    return ROOT_CONTEXT
  }
}
