import type { Dialect } from '../dialect.js'
import { storedValues } from '../../record-object/index.js'
import { convertToTraj, convertToTrajectory } from './convert.js'
import { decodeTrajectory, STORED } from './decode.js'
import { isTrajectory, isTrajLine, encodeTraj } from './traj-encode.js'
import { encodeTrajectory } from './encode.js'
import { eraNamed, ERAS, TRAJ_ERA } from './era.js'
import { decodeTraj } from './traj-decode.js'

/** SafePred's execution_trajectory.json. */
export const trajectory: Dialect = {
  name: 'trajectory',
  eras: ERAS,
  detect: isTrajectory,
  encode: encodeTrajectory,
  decode: (node, era) => decodeTrajectory(node, eraNamed(era), STORED),
  style: (era) => ERAS[eraNamed(era)].style,
  carrierIn: ['planspan'],
  convert: convertToTrajectory,
}

/** SafePred's traj.jsonl, which contains only the actions. */
export const traj: Dialect = {
  name: 'trajectory:traj',
  eras: { '': TRAJ_ERA },
  detect: isTrajLine,
  encode: encodeTraj,
  decode: (node) => decodeTraj(node, storedValues),
  style: () => TRAJ_ERA.style,
  convert: convertToTraj,
}

export { ERAS } from './era.js'
export { isTaskDone, stateOfEnded } from './runs.js'
export { stepDraft } from './step-draft.js'
export { stepErrors } from './step-errors.js'
export { readTaskParams } from './task.js'
export type { Run } from './runs.js'
