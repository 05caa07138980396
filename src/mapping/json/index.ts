export { applyDeviations } from './apply-residual.js'
export { detectStyle } from './detect-style.js'
export { parseEventStream, parseLines } from './framing.js'
export { jsonFromValue, type JsonValue, toValue } from './json-value.js'
export {
  hasMember,
  isTrue,
  itemsOf,
  jsonArray,
  type JsonArray,
  type JsonDocument,
  jsonLiteral,
  type JsonMember,
  type JsonNode,
  jsonNumber,
  jsonObject,
  type JsonObject,
  jsonString,
  member,
  stringOf,
} from './node.js'
export { parseJsonDocument, tryParseJson, ValueCount } from './parse.js'
export { type Deviation, diffFromCanonical, type Residual } from './residual.js'
export type { Framing, JsonStyle } from './style.js'
export { isSpace, ValueScanner } from './value-scanner.js'
export { bare, compactJson, writeJsonDocument } from './write.js'
export { appendIndex, appendKey, type JsonPointer } from './pointer.js'
