import type { Dialect } from '../dialect.js'
import { decodeAtif } from './decode.js'
import { isAtif, eraNamed, ERAS } from './era.js'
import { encodeAtif } from './encode.js'
import { writePlanspan } from './write-planspan.js'

export { toolDefinitions } from './model-answer.js'

/** A trajectory in the Agent Trajectory Interchange Format, from any agent. */
export const atif: Dialect = {
  name: 'atif',
  eras: ERAS,
  detect: isAtif,
  encode: encodeAtif,
  decode: decodeAtif,
  style: (era) => eraNamed(era).style,
  carrierIn: ['extra', 'planspan'],
  convert: writePlanspan,
}
