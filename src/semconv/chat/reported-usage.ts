import { type Data, isData } from './message-parts.js'
import { USAGE_NAMES_OF, type UsageValue } from './usage-names.js'

/** The reported tokens of one model call. Input includes cached tokens, output includes reasoning. */
export interface ReportedUsage {
  readonly inputTokens: unknown
  readonly outputTokens: unknown
  readonly cacheReadTokens: unknown
  readonly cacheWriteTokens: unknown
  readonly reasoningTokens: unknown
}

/** Returns the value of a usage. Undefined if the usage does not report it. */
export type ValueOf = (value: UsageValue) => unknown

/** Reads the usage of a model call, under planspan's names or a provider's. Never throws. */
export const usageOf = (usage: unknown): ReportedUsage =>
  totalUsage((value) => firstOf(usage, USAGE_PATHS.get(value) ?? []))

/**
 * Adds the counts that are reported beside the input and the output. Cached and reasoning tokens under other names are
 * part of the input and the output, unless the counts prove the opposite.
 */
export function totalUsage(valueOf: ValueOf): ReportedUsage {
  const [besideRead, besideWrite] = [valueOf('cacheReadBeside'), valueOf('cacheWriteBeside')]
  const cacheReadTokens = valueOf('cacheRead') ?? besideRead
  const cacheWriteTokens = valueOf('cacheWrite') ?? besideWrite
  const reasoningTokens = valueOf('reasoning')
  const whole = valueOf('input')
  const input = sum(whole ?? valueOf('inputBesideCache'), valueOf('inputBeside'))
  const output = sum(valueOf('output'), valueOf('outputBeside'))
  const knownBeside = whole === undefined ? sum(undefined, besideRead, besideWrite) : undefined
  const cached = sum(undefined, cacheReadTokens, cacheWriteTokens)
  const lacks = lackingIn({ input: sum(input, knownBeside), output, total: valueOf('total') }, cached, reasoningTokens)
  return {
    inputTokens: sum(input, knownBeside ?? (lacks.cache ? cached : undefined)),
    outputTokens: sum(output, lacks.reasoning ? reasoningTokens : undefined),
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
  }
}

interface Totals {
  readonly input: unknown
  readonly output: unknown
  readonly total: unknown
}

/**
 * Whether counts prove that the input lacks cached tokens, or the output reasoning: the part is larger than the whole,
 * or the total is right only with the part.
 */
function lackingIn({ input, output, total }: Totals, cachedTokens: unknown, reasoningTokens: unknown) {
  const [read, written] = [countOf(input), countOf(output)]
  const [cached, reasoned] = [countOf(cachedTokens) ?? 0, countOf(reasoningTokens) ?? 0]
  const rest = (countOf(total) ?? 0) - (read ?? 0) - (written ?? 0)
  const isRest = (...counts: readonly number[]): boolean => counts.includes(rest)
  return {
    cache: read !== undefined && cached > 0 && (cached > read || isRest(cached, cached + reasoned)),
    reasoning:
      written !== undefined &&
      reasoned > 0 &&
      (reasoned > written || isRest(cached + reasoned) || (isRest(reasoned) && rest !== cached)),
  }
}

/** The names as paths of keys. */
const USAGE_PATHS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  Object.entries(USAGE_NAMES_OF).map(([value, names]) => [value, names.map((name) => name.split('.'))]),
)

/** The top-level names of all paths. */
export const USAGE_NAMES: ReadonlySet<string> = new Set([...USAGE_PATHS.values()].flat().flatMap(([head = '']) => head))

/** Returns the first defined value. */
function firstOf(usage: unknown, paths: readonly (readonly string[])[]): unknown {
  for (const path of paths) {
    const value = path.reduce<unknown>((above, key) => (isData(above) ? memberOf(above, key) : undefined), usage)
    if (value !== undefined && value !== null && !isData(value)) return value
  }
  return undefined
}

function memberOf(data: Data, key: string): unknown {
  try {
    return data[key]
  } catch {
    return undefined
  }
}

/** Returns a count, also from an attribute's text. Undefined for anything else. */
export function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d+(\.0+)?$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(count) ? (count as number) : undefined
}

/** Adds the separately reported counts. Returns the value unchanged if it is not a count. */
function sum(tokens: unknown, ...beside: readonly unknown[]): unknown {
  const counts = beside.map(countOf).filter((count) => count !== undefined)
  const own = countOf(tokens)
  return counts.length === 0 || (own === undefined && tokens !== undefined)
    ? tokens
    : counts.reduce((total, count) => total + count, own ?? 0)
}
