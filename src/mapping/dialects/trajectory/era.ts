import type { Era } from '../dialect.js'
import { hasMember, type JsonNode, type JsonStyle } from '../../json/index.js'
import { recordObject, type Writing } from '../../record-object/index.js'
import {
  ALIGNMENT,
  ASSESSMENT,
  CRASH,
  ERROR,
  FAILED_RESULT,
  FLAT,
  LINE,
  NESTED,
  PLAN_UPDATE,
  RESULT,
  STEP,
  STEP_ERROR,
  USAGE,
  WORLD_MODEL_OUTPUT,
} from './properties.js'

const WRITING: Writing = { nulls: 'omitted' }

/** The objects of a document's steps, the same in all eras. */
export const OBJECTS = {
  step: recordObject('think_act', STEP, WRITING),
  planUpdate: recordObject('think_act', PLAN_UPDATE, WRITING),
  worldModelOutput: recordObject('guardrail', WORLD_MODEL_OUTPUT, WRITING),
  assessment: recordObject('guardrail', ASSESSMENT, WRITING),
  alignment: recordObject('guardrail', ALIGNMENT, WRITING),
  usage: recordObject('llm', USAGE, WRITING),
  result: recordObject('tool', RESULT, WRITING),
  error: recordObject('tool', ERROR, WRITING),
  stepError: recordObject('exception', STEP_ERROR, WRITING),
} as const

/** The result of a failed action, which writes its reward differently. */
export const FAILED_RESULT_OBJECT = recordObject('tool', FAILED_RESULT, WRITING)

/** Python's `json.dump(indent=2, ensure_ascii=False)`. */
const INDENTED: JsonStyle = { indent: '  ', colon: ' ' }

/** Python's `json.dumps`, one document per line. */
const LINES: JsonStyle = { framing: 'lines', colon: ' ', comma: ' ', ascii: true }

/** Where a trajectory describes its task: `nested` as SafePred writes it, `flat` as its documentation proposes. */
export const ERAS = {
  nested: { objects: { document: recordObject('plan', NESTED, WRITING), ...OBJECTS }, style: INDENTED },
  flat: { objects: { document: recordObject('plan', FLAT, WRITING), ...OBJECTS }, style: INDENTED },
} as const satisfies Record<string, Era>

/** A traj.jsonl has one generation. */
export const TRAJ_ERA = {
  objects: { line: recordObject('tool', LINE, WRITING), crash: recordObject('agent', CRASH, WRITING) },
  style: LINES,
} as const satisfies Era

export type EraName = keyof typeof ERAS

export const eraNamed = (name: string): EraName => (name === 'flat' ? 'flat' : 'nested')

export function eraOf(document: JsonNode): EraName {
  const hasTask = ['task_id', 'task_instruction', 'task_params'].some((key) => hasMember(document, key))
  const isFlat = hasTask && !hasMember(document, 'task_metadata')
  return isFlat ? 'flat' : 'nested'
}
