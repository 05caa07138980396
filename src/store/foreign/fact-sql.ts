import { type Place, sourcesOf, USAGE_JSON } from '../../mapping/index.js'
import { ATTR, USAGE_PATHS } from '../../semconv/index.js'
import { listLiteral, literal, re2 } from './literals.js'

/** The facts that ClickHouse reads of other instrumentations' spans, by their kind; content stays where it is. */
const FACTS_OF = {
  plan: [ATTR.planTitle, ATTR.conversationId],
  agent: [ATTR.agentName],
  think_act: [],
  llm: [
    ATTR.requestModel,
    ATTR.responseModel,
    ATTR.providerName,
    ATTR.usageInputTokens,
    ATTR.usageOutputTokens,
    ATTR.usageCacheReadTokens,
    ATTR.usageCacheWriteTokens,
    ATTR.usageReasoningTokens,
  ],
  tool: [ATTR.toolName, ATTR.toolCallId],
} as const

export type FactRole = keyof typeof FACTS_OF

/** The names under which a usage in JSON tells each count, in whichever words of a provider. */
const IN_USAGE: Readonly<Record<string, readonly string[]>> = {
  [ATTR.usageInputTokens]: ['input', 'inputBesideCache'],
  [ATTR.usageOutputTokens]: ['output'],
  [ATTR.usageCacheReadTokens]: ['cacheRead', 'cacheReadBeside'],
  [ATTR.usageCacheWriteTokens]: ['cacheWrite', 'cacheWriteBeside'],
  [ATTR.usageReasoningTokens]: ['reasoning'],
}

const USAGE_KEYS = USAGE_JSON.filter((place) => typeof place === 'string')
const USAGE = `concat(${USAGE_KEYS.map((key) => `Facts[${literal(key)}]`).join(', ')})`

/** Longer JSON than the metadata of a span is content. */
const METADATA = 'metadata'

/** More than a fact has places. */
const FIRST = 100

/** A place of a fact, with a number that tells the fact and the place's order among its places. */
interface Told {
  readonly code: number
  /** The attribute that tells it, or its name in a usage, or SQL for the value. */
  readonly key?: string
  readonly inUsage?: string
  readonly sql?: string
}

/** The places of all facts, by the number of each fact. */
const FACTS = Object.entries(FACTS_OF).flatMap(([role, keys]) =>
  keys.map((key) => ({ role: role as FactRole, key, places: sourcesOf(role as FactRole)[key] ?? [] })),
)

const numberOf = (role: FactRole, key: string): number =>
  FACTS.findIndex((fact) => fact.role === role && fact.key === key) + 1

/** Whether a fact is told of a role, beside what is told of any. */
export const isFact = (role: FactRole, key: string): boolean => numberOf(role, key) > 0

/** The attributes of `Facts` that facts are read from. */
export const FACT_KEYS: readonly string[] = [
  ...new Set([...FACTS.flatMap(({ places }) => places.flatMap(keysOf)), ...USAGE_KEYS]),
]

/**
 * What `Facts` and `SpanName` tell of the facts of some roles, in the order in which it counts: to be selected as
 * `Known`. All attributes are looked up at once, since looking for each in a map costs a walk over it.
 */
export function knownSql(roles: readonly FactRole[]): string {
  const all = roles.flatMap((role) => FACTS.flatMap((fact) => (fact.role === role ? placesOf(fact) : [])))
  const keyed = all.flatMap(({ key, code }) => (key === undefined ? [] : [[key, code] as const]))
  const inUsage = all.flatMap(({ inUsage: key, code }) => (key === undefined ? [] : [[key, code] as const]))
  const others = all.flatMap(({ sql, code }) => (sql === undefined ? [] : `(${String(code)}::UInt16, ${sql})`))
  const lists = [
    ...inLayers(keyed).map((layer) => lookUp(layer, `CAST(Facts, 'Array(Tuple(String, String))')`)),
    ...inLayers(inUsage).map((layer) => lookUp(layer, `JSONExtractKeysAndValuesRaw(${USAGE})`)),
    ...(others.length === 0 ? [] : [`[${others.join(', ')}]`]),
  ]
  if (lists.length === 0) return '[]'
  return `arraySort(arrayFilter(told -> told.1 > 0 AND told.2 != '', arrayConcat(${lists.join(', ')})))`
}

/** What `Known` tells of a fact, as text: of several places the first in order, '' for nothing. */
export const factSql = (role: FactRole, key: string): string =>
  `arrayFirst(told -> intDiv(told.1, ${String(FIRST)}) = ${String(numberOf(role, key))}, Known).2`

function placesOf({ role, key, places }: (typeof FACTS)[number]): Told[] {
  const fact = numberOf(role, key) * FIRST
  const told = places.flatMap((place, rank): Told[] => {
    const code = fact + rank
    if (typeof place === 'string') return [{ code, key: place }]
    const sql = valueOf(place)
    return sql === undefined ? [] : [{ code, sql }]
  })
  const names = (IN_USAGE[key] ?? []).flatMap((name) => USAGE_PATHS.get(name) ?? [])
  const flat = names.flatMap((path) => (path.length === 1 ? path : []))
  return [...told, ...flat.map((inUsage, rank) => ({ code: fact + places.length + rank, inUsage }))]
}

/** Pairs of a key and a code as lists in which each key stands once. */
function inLayers(pairs: readonly (readonly [key: string, code: number])[]): Map<string, number>[] {
  const layers: Map<string, number>[] = []
  for (const [key, code] of pairs) {
    const layer = layers.find((one) => !one.has(key))
    if (layer) layer.set(key, code)
    else layers.push(new Map([[key, code]]))
  }
  return layers
}

const lookUp = (layer: ReadonlyMap<string, number>, pairs: string): string =>
  `arrayMap(pair -> (transform(pair.1, ${listLiteral([...layer.keys()])}, [${[...layer.values()].join(', ')}], 0)::UInt16, pair.2), ${pairs})`

function valueOf(place: Exclude<Place, string>): string | undefined {
  if ('key' in place) return `if(mapContains(Facts, ${literal(place.beside)}), Facts[${literal(place.key)}], '')`
  if ('in' in place) {
    const [name = '', ...rest] = place.path
    if (place.in !== METADATA || rest.length > 0) return undefined
    return `JSONExtractString(Facts['${METADATA}'], ${literal(name)})`
  }
  if ('each' in place) return undefined
  const name = `trimBoth(extract(SpanName, ${literal(re2(place.name))}))`
  return place.except ? `replaceRegexpOne(${name}, ${literal(re2(place.except))}, '')` : name
}

function keysOf(place: Place): string[] {
  if (typeof place === 'string') return [place]
  if ('key' in place) return [place.key, place.beside]
  return 'in' in place && place.in === METADATA ? [METADATA] : []
}
