import { diag, isSpanContextValid, type SpanContext } from '@opentelemetry/api'
import { warnOnce } from './drops.js'
import { environment } from '../otel/index.js'

type Registration = 'none' | 'in progress' | 'done'

let registration: Registration = 'none'
let isUnrecorded = false

/** Sets the state of register(), and reports a plan that was started before it, since there is a logger now. */
export function noteRegistration(now: Registration): void {
  if (registration === 'none' && now === 'in progress' && isUnrecorded) {
    diag.warn('planspan: a plan was started before register() and is not recorded: await register() first.')
  }
  registration = now
}

/** Warns once about a plan that is not recorded, unless the SDK is disabled. */
export function notePlan(span: SpanContext): void {
  if (isSpanContextValid(span) || registration === 'done' || environment().isSdkDisabled) return
  isUnrecorded = true
  warnOnce(`a plan while registration is ${registration}`, () =>
    registration === 'in progress'
      ? 'planspan: a plan was started before register() was done and is not recorded: await register() first. Logged once.'
      : 'planspan: a plan was started without an OpenTelemetry SDK and is not recorded: await register() first, or ' +
        'register an SDK of your own. Logged once.',
  )
}
