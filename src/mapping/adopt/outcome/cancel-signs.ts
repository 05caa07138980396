import { ATTR, EVENTS, exceptionFields } from '../../../semconv/index.js'
import type { AdoptNode } from '../adopt-node.js'

/** Classes of errors that report a cancellation, in any language, with or without a module. */
const CANCEL_CLASS =
  /(?:^|[.:\s])(?:Cancell?ed(?:Error|Exception|Failure)?|\w*AbortError|KeyboardInterrupt|GeneratorExit|\w*Cancell?ation(?:Error|Exception)|(?:Operation|Task)Cancell?ed(?:Error|Exception)|InterruptedException|ABORT_ERR|ERR_CANCELED)$/i

/** The beginning of a message about a cancellation, after a status such as `500 UNKNOWN: `. */
const CANCEL_TEXT =
  /^(?:(?:\d{3} )?[A-Z_]+: )?(?:(?:[\w.]+\.)?(?:Cancell?ed(?:Error|Exception)|\w*AbortError|KeyboardInterrupt|GeneratorExit|\w*CancellationException)\b|(?:the|this) (?:\w+ )?(?:was|has been|is) (?:aborted|cancell?ed)\b|(?:request|operation|run|task|call|stream|execution|workflow) (?:was |has been )?(?:aborted|cancell?ed)\b|cancell?ed (?:by|via)\b|(?:aborted|interrupted|stopped|terminated) by (?:the )?user\b|agent interrupted\b|context cancell?ed\b|rpc error: code = Canceled\b|(?:cancell?ed|abort|aborted)[.!]?$)/i

/** Names of attributes with a status, or with the reason why a model stopped, in the conventions' namespaces. */
const STATUS_KEY =
  /^(?:gen_ai|llm|ai|mastra|genkit|langfuse|langsmith|traceloop|openinference|agent|workflow|run|task)\b.*?[._](?:status|state|outcome|(?:finish|stop|termination)_?reasons?)$/i

const CANCEL_STATUS = /^[["\s]*(?:cancell?ed|abort|aborted|interrupted|user_cancell?ed)["\]\s]*$/i

/** Status codes of protocols for a call that its client cancelled. */
const CANCEL_CODES: Readonly<Record<string, string>> = {
  'rpc.grpc.status_code': '1',
  'rpc.response.status_code': 'CANCELLED',
  'http.response.status_code': '499',
  'http.status_code': '499',
}

/** Names of flags. A tool's own attributes may describe what it worked on, such as a cancelled order. */
const CANCEL_FLAG = /(?:^|[._])(?:is_?)?cancell?(?:ed|ation)(?:[._]|$)/i
const UNSET_FLAG = /^(?:false|0|none|null|)$/i

/** Whether a span reports that it was cancelled: by its error, its status, a flag or the code of a protocol. */
export function saysCancelled({ span, kind }: Pick<AdoptNode, 'span' | 'kind'>): boolean {
  const { attributes, events, statusMessage } = span
  if (CANCEL_CLASS.test(attributes[ATTR.errorType] ?? '') || CANCEL_TEXT.test(statusMessage)) return true
  const raised = events.findLast(({ name }) => name === EVENTS.exception)?.attributes
  if (raised && isCancelled(raised)) return true
  for (const key in attributes) {
    const value = attributes[key] ?? ''
    if (CANCEL_CODES[key] === value || (CANCEL_STATUS.test(value) && STATUS_KEY.test(key))) return true
    if (kind !== 'tool' && CANCEL_FLAG.test(key) && !UNSET_FLAG.test(value)) return true
  }
  return false
}

const isCancelled = (raised: Readonly<Record<string, string>>): boolean =>
  CANCEL_CLASS.test(raised[exceptionFields.type.key] ?? '') ||
  CANCEL_TEXT.test(raised[exceptionFields.message.key] ?? '')
