import { type Place, sourcesOf, USAGE_JSON } from '../../mapping/index.js'
import { ATTR, USAGE_PATHS } from '../../semconv/index.js'
import { listLiteral, literal, re2 } from './literals.js'

/** The facts that the views show of other instrumentations' spans, by their kind; content stays where it is. */
const ROLE_FACTS = {
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

export type FactRole = keyof typeof ROLE_FACTS

/** The names under which a usage in JSON tells each count, in whichever words of a provider. */
const IN_USAGE: Readonly<Record<string, readonly string[]>> = {
  [ATTR.usageInputTokens]: ['input', 'inputBesideCache'],
  [ATTR.usageOutputTokens]: ['output'],
  [ATTR.usageCacheReadTokens]: ['cacheRead', 'cacheReadBeside'],
  [ATTR.usageCacheWriteTokens]: ['cacheWrite', 'cacheWriteBeside'],
  [ATTR.usageReasoningTokens]: ['reasoning'],
}

/** Longer JSON than the metadata of a span is content. */
const METADATA = 'metadata'

const USAGE_KEYS = USAGE_JSON.filter((place) => typeof place === 'string')

/** Whether a fact is told of a role, beside what is told of any. */
export const isFact = (role: FactRole, key: string): boolean => (ROLE_FACTS[role] as readonly string[]).includes(key)

/** What `Facts` and `SpanName` tell of a fact, as text: of several places the first in order, '' for nothing. */
export function factSql(role: FactRole, key: string): string {
  const places = sourcesOf(role)[key] ?? []
  return firstTold([...segments(places), ...usageSegments(IN_USAGE[key] ?? [])])
}

/** The attributes of `Facts` that facts are read from. */
export const FACT_KEYS: readonly string[] = [
  ...new Set([
    ...Object.entries(ROLE_FACTS).flatMap(([role, keys]) =>
      keys.flatMap((key) => (sourcesOf(role as FactRole)[key] ?? []).flatMap(keysOf)),
    ),
    ...USAGE_KEYS,
  ]),
]

const firstTold = (lists: readonly string[]): string =>
  `arrayFirst(told -> told != '', ${lists.length === 1 ? (lists[0] ?? '') : `arrayConcat(${lists.join(', ')})`})`

/** The values of places, as arrays: one of neighbours that are plain attributes. */
function segments(places: readonly Place[]): string[] {
  const lists: string[] = []
  let keys: string[] = []
  const flush = () => {
    if (keys.length > 0) lists.push(`arrayMap(key -> Facts[key], ${listLiteral(keys)})`)
    keys = []
  }
  for (const place of places) {
    if (typeof place === 'string') {
      keys.push(place)
      continue
    }
    const value = valueOf(place)
    if (value === undefined) continue
    flush()
    lists.push(`[${value}]`)
  }
  flush()
  return lists
}

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

/** What a usage in JSON tells under some names. */
function usageSegments(names: readonly string[]): string[] {
  const paths = names.flatMap((name) => USAGE_PATHS.get(name) ?? []).filter((path) => path.length === 1)
  if (paths.length === 0) return []
  const usage = `concat(${USAGE_KEYS.map((key) => `Facts[${literal(key)}]`).join(', ')})`
  return [`arrayMap(key -> JSONExtractRaw(${usage}, key), ${listLiteral(paths.flat())})`]
}
