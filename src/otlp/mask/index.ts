import { createRedactor } from '../../redaction/index.js'
import type { Encoding } from '../request.js'
import { maskJson } from './mask-json.js'
import { maskProtobuf } from './mask-protobuf.js'

const redactor = createRedactor()

/**
 * Masks the secrets in the spans of a well-formed request and lists the masked fields in `planspan.redacted_fields`.
 * Returns the same bytes if there are no secrets.
 */
export const maskRequest = (encoding: Encoding, body: Uint8Array): Uint8Array =>
  (encoding === 'json' ? maskJson : maskProtobuf)(body, redactor)
