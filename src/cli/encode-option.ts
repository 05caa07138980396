import { PlanspanError } from '../error.js'
import { DIALECT_NAMES, isDialectName, type EncodeOptions } from '../mapping/index.js'

/** The options of the commands that read records. */
export const encodeArgs = {
  format: {
    type: 'string',
    valueHint: 'auto|DIALECT',
    default: 'auto',
    description: `The dialect of the records: ${DIALECT_NAMES.join(', ')}`,
  },
  'time-zone': {
    type: 'string',
    valueHint: 'ZONE',
    default: 'UTC',
    description: 'The IANA zone of times that are written without one',
  },
} as const

/** What these options ask of the encoder. Throws `usage` for an unknown dialect. */
export function encodeOptionsOf(format: string, timeZone: string): EncodeOptions {
  if (format !== 'auto' && !isDialectName(format)) {
    throw new PlanspanError(
      'usage',
      `${JSON.stringify(format)} is no dialect. Dialects are ${DIALECT_NAMES.join(', ')}; auto tells by the content.`,
    )
  }
  return { format, timeZone }
}
