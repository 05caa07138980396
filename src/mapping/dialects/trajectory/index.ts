import type { Dialect } from '../../dialect.js'
import type { JsonStyle } from '../../json/style.js'
import { convertToTraj, convertToTrajectory } from './convert.js'
import { decodeTrajectory } from './decode.js'
import { isTrajectory, isTrajLine } from './detect.js'
import { encodeTrajectory } from './encode.js'
import { decodeTraj } from './traj-decode.js'
import { encodeTraj } from './traj-encode.js'
import { storedValues } from './values.js'

/** Python's `json.dump(indent=2, ensure_ascii=False)`. */
const INDENTED: JsonStyle = { indent: '  ', colon: ' ' }

/** Python's `json.dumps`, a line each. */
const LINES: JsonStyle = { framing: 'lines', colon: ' ', comma: ' ', ascii: true }

/** SafePred's execution_trajectory.json. */
export const trajectory: Dialect = {
  name: 'trajectory',
  detect: isTrajectory,
  encode: encodeTrajectory,
  decode: (node, era) => decodeTrajectory(node, era, storedValues),
  style: () => INDENTED,
  convert: convertToTrajectory,
}

/** SafePred's traj.jsonl: the actions alone. */
export const traj: Dialect = {
  name: 'trajectory:traj',
  detect: isTrajLine,
  encode: encodeTraj,
  decode: (node) => decodeTraj(node, storedValues),
  style: () => LINES,
  convert: convertToTraj,
}
