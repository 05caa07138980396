import { createRedactor } from '../../redaction/index.js'
import type { Encoding } from '../request.js'
import { maskJson } from './mask-json.js'
import { maskProtobuf } from './mask-protobuf.js'

const redactor = createRedactor()

/**
 * A well-formed request with the secrets in its spans masked, and what was masked listed in `planspan.redacted_fields`;
 * the same bytes if it has none.
 */
export const maskRequest = (encoding: Encoding, body: Uint8Array): Uint8Array =>
  (encoding === 'json' ? maskJson : maskProtobuf)(body, redactor)
