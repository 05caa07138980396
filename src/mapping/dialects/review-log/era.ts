import { itemsOf, member, type JsonNode } from '../../json/node.js'

/** What each version of the planner's schema added to the one before it. */
const ADDED = {
  '1': [],
  '2': ['telemetry'],
  '3': ['total_results', 'result_count'],
  '4': ['degradation_modes', 'applied_max_results', 'applied_max_notes', 'degradation_mode'],
} as const

type EraName = keyof typeof ADDED

const NEWEST: EraName = '4'

const isEra = (name: string): name is EraName => Object.hasOwn(ADDED, name)

/** The keys that records of an era do not have yet. */
export function omittedKeys(era: string): ReadonlySet<string> {
  const known = isEra(era) ? era : NEWEST
  return new Set(Object.entries(ADDED).flatMap(([name, keys]): readonly string[] => (name > known ? keys : [])))
}

/** The version of the schema that wrote a record, told by the keys that it has. */
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
