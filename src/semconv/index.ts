export { instructionsOf, messagesOf } from './chat/chat-messages.js'
export { isData, isList, textIn } from './chat/message-parts.js'
export type { Part, Data } from './chat/message-parts.js'
export { countOf, totalUsage, USAGE_NAMES, usageOf } from './chat/reported-usage.js'
export { USAGE_NAMES_OF, type UsageValue } from './chat/usage-names.js'
export type { AttributeKey } from './attribute-keys.js'
export { ATTR, attributeType, isLatestOnly, isStructural, isSummed, isUnsafe } from './attribute-keys.js'
export { textListCodec, toWellFormed } from './codec.js'
export { decodeFields, encodeFields } from './field.js'
export { parseJson } from './parse-json.js'
export { PRICED_TOKENS, TOKENS_PER_PRICE } from './priced-tokens.js'
export * from './fields/index.js'
export { OPERATIONS, ROLES, SPAN_TYPES, spanName } from './roles.js'
export { dayOf, DAYS_AHEAD, DEFAULT_YEARS, isSpanTime, READABLE_TIMES, spanTimesOf } from './span-times.js'
export {
  CONVENTIONS_VERSION,
  EVENTS,
  isDone,
  isOver,
  LINK_TYPES,
  OWN_ERA,
  PENDING,
  RECORD_HEADERS,
  SCHEMA_VERSION,
  SCHEMA_URL,
  SCOPE_NAME,
  STATES,
  UNKNOWN_PROVIDER,
  UNTYPED_ERROR,
  REMARK_KINDS,
  type RemarkKind,
  VERDICTS,
  WAIT_REASONS,
} from './values.js'
export type { Message, Speaker } from './chat/chat-messages.js'
export type { ReportedUsage } from './chat/reported-usage.js'
export type { AttributeType, Codec, FieldValue } from './codec.js'
export type { AnyField, Field, FieldTable, FieldValues } from './field.js'
export type { Role } from './roles.js'
export type { AttributeValue, Span, SpanEvent, SpanKind, SpanLink, StatusCode, StoredSpan } from './span.js'
export type { SpanTimes } from './span-times.js'
export type { ReviewAction, State, Verdict, WaitReason, WaitResolution } from './values.js'
