import { append } from '../../../base/append.js'
import { member, itemsOf, stringOf, type JsonNode, type JsonStyle } from '../../json/index.js'
import { recordObject, type Writing } from '../../record-object/index.js'
import type { Era } from '../dialect.js'
import { AGENT, MESSAGE, PACKAGE_KEYS, RESULT, STEP, TOOL_CALL, TRAJECTORY } from './properties.js'

/** All writers leave out keys without a value. */
const WRITING: Writing = { nulls: 'omitted' }

const COMMON = {
  trajectory: recordObject('plan', TRAJECTORY, WRITING),
  agent: recordObject('agent', AGENT, WRITING),
  toolCall: recordObject('tool', TOOL_CALL, WRITING),
  result: recordObject('tool', RESULT, WRITING),
}

const HARBOR = {
  ...COMMON,
  step: recordObject('think_act', STEP, WRITING),
  message: recordObject('event', MESSAGE, WRITING),
}

/** Harbor's `format_trajectory_json`: Python's `json.dumps(…, indent=2)` with lists of numbers on one line. */
const HARBOR_STYLE: JsonStyle = { indent: '  ', colon: ' ', flatNumbers: true, ascii: true }

/** Python's `json.dumps(…, indent=2)`. */
const INDENTED: JsonStyle = { indent: '  ', colon: ' ', ascii: true }

/** Python's `json.dumps(…, ensure_ascii=False)`. Indented, deeply nested plans would be huge. */
const ON_ONE_LINE: JsonStyle = { colon: ' ', comma: ' ' }

/**
 * The writers of trajectories: Harbor; the package `atif`, which writes the last keys of a step in another order; and
 * planspan, which writes any plan.
 */
export const ERAS = {
  harbor: { objects: HARBOR, style: HARBOR_STYLE },
  package: {
    objects: {
      ...COMMON,
      step: recordObject('think_act', STEP, WRITING, PACKAGE_KEYS.step),
      message: recordObject('event', MESSAGE, WRITING, PACKAGE_KEYS.message),
    },
    style: INDENTED,
  },
  planspan: { objects: HARBOR, style: ON_ONE_LINE },
} as const satisfies Record<string, Era>

type EraName = keyof typeof ERAS
export type AtifEra = (typeof ERAS)[EraName]

const isEra = (name: string): name is EraName => Object.hasOwn(ERAS, name)

/** Returns an era by its name. The default is planspan's own. */
export const eraNamed = (name: string): AtifEra => ERAS[isEra(name) ? name : 'planspan']

/** Detects the writer of a trajectory by its keys and their order. */
export function eraOf(document: JsonNode): EraName {
  for (const step of stepsWithin(document)) {
    const keys = step.kind === 'object' ? step.members.map(({ key }) => key.value) : []
    const extra = keys.indexOf('extra')
    const after = Math.max(keys.indexOf('llm_call_count'), keys.indexOf('is_copied_context'))
    if (extra >= 0 && after >= 0) return extra < after ? 'package' : 'harbor'
  }
  return 'harbor'
}

/** Whether a document states that it is a trajectory in the interchange format. */
export function isAtif(document: JsonNode): boolean {
  if (member(document, 'steps')?.kind !== 'array') return false
  return stringOf(member(document, 'schema_version'))?.startsWith('ATIF-') === true
}

/** Yields the steps of a trajectory and of those embedded in it. */
function* stepsWithin(trajectory: JsonNode): Generator<JsonNode> {
  const pending = [trajectory]
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield* itemsOf(member(next, 'steps'))
    append(pending, itemsOf(member(next, 'subagent_trajectories')))
  }
}
