import { diag, isSpanContextValid, type SpanContext } from '@opentelemetry/api'
import { sayOnce } from './drops.js'
import { environment } from '../otel/index.js'

type Registration = 'none' | 'under way' | 'done'

let registration: Registration = 'none'
let isUnrecorded = false

/** Notes where register() stands. A plan that came before it is told of now, when there is a logger. */
export function noteRegistration(now: Registration): void {
  if (registration === 'none' && now === 'under way' && isUnrecorded) {
    diag.warn('planspan: a plan was started before register() and is not recorded: await register() first.')
  }
  registration = now
}

/** Says once that a plan is not recorded, unless that is meant. */
export function notePlan(span: SpanContext): void {
  if (isSpanContextValid(span) || registration === 'done' || environment().isSdkDisabled) return
  isUnrecorded = true
  sayOnce(`a plan while registration is ${registration}`, () =>
    registration === 'under way'
      ? 'planspan: a plan was started before register() was done and is not recorded: await register() first. Said once.'
      : 'planspan: a plan was started without an OpenTelemetry SDK and is not recorded: await register() first, or ' +
        'register an SDK of your own. Said once.',
  )
}
