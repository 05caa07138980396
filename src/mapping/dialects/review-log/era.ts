import { itemsOf, member, type JsonNode } from '../../json/index.js'
import { recordObject } from '../../record-object/index.js'
import { CALL, RESEARCHER, RUN } from './properties.js'

/** The keys that each version of the planner's schema added. */
const ADDED = {
  '1': [],
  '2': ['telemetry'],
  '3': ['total_results', 'result_count'],
  '4': ['degradation_modes', 'applied_max_results', 'applied_max_notes', 'degradation_mode'],
} as const

type EraName = keyof typeof ADDED

/** Pydantic writes every key of a version, including nulls: Python's `json.dumps(…, ensure_ascii=False)`. */
function eraOfVersion(version: EraName) {
  const lacks = Object.entries(ADDED).flatMap(([name, keys]): readonly string[] => (name > version ? keys : []))
  const writing = { nulls: 'written', lacks } as const
  return {
    objects: {
      run: recordObject('plan', RUN, writing),
      researcher: recordObject('agent', RESEARCHER, writing),
      call: recordObject('tool', CALL, writing),
    },
    style: { colon: ' ', comma: ' ', tail: '\n' },
  }
}

export const ERAS = {
  '1': eraOfVersion('1'),
  '2': eraOfVersion('2'),
  '3': eraOfVersion('3'),
  '4': eraOfVersion('4'),
} as const satisfies Record<EraName, unknown>

export type Era = (typeof ERAS)[EraName]

const NEWEST: EraName = '4'

const isEra = (name: string): name is EraName => Object.hasOwn(ERAS, name)

export const eraNamed = (name: string): Era => ERAS[isEra(name) ? name : NEWEST]

/** Detects the version of the schema from the keys of a record. */
export function eraOf(record: JsonNode): EraName {
  const telemetry = member(record, 'telemetry')
  if (!telemetry) return '1'
  const researcher = member(telemetry, 'researcher')
  if (researcher?.kind !== 'object') return NEWEST
  const objects = [researcher, ...itemsOf(member(researcher, 'calls'))]
  const has = (era: EraName): boolean =>
    objects.some((object) => ADDED[era].some((key) => member(object, key) !== undefined))
  if (has('4')) return '4'
  return has('3') ? '3' : '2'
}
