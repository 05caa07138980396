import { diag } from '@opentelemetry/api'
import { environment } from '../otel/index.js'

const CAPTURED = new Set(['', 'true', '1', 'yes', 'on', 'span_only', 'span_and_event'])
const NOT_CAPTURED = new Set(['false', '0', 'no', 'off', 'no_content', 'event_only'])

let captured: boolean | undefined

/** Whether spans carry content: prompts, answers, arguments, results, feedback, error messages. */
export function contentCaptured(): boolean {
  captured ??= fromEnvironment(environment().captureMessageContent)
  return captured
}

/** Turns content capture on or off, overriding the environment. */
export function captureContent(capture: boolean): void {
  captured = capture
}

function fromEnvironment(value: string): boolean {
  if (CAPTURED.has(value)) return true
  if (!NOT_CAPTURED.has(value)) {
    diag.warn(
      `planspan: OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=${value} is unknown, so content is not captured.  ` +
        'Set true, SPAN_ONLY or SPAN_AND_EVENT to capture it, false, NO_CONTENT or EVENT_ONLY not to.',
    )
  }
  return false
}
