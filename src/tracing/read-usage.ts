import { isData, type ReportedUsage, USAGE_NAMES, usageOf } from '../semconv/index.js'
import { countUnknownOption } from './option-names.js'

/** The tokens of one model call, as a user gave them. */
export interface ReadUsage extends ReportedUsage {
  /** The number of values with unknown names. */
  readonly unknown: number
}

const OWN = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning']
const FIELDS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens']
const KNOWN: ReadonlySet<string> = new Set([...OWN, ...FIELDS])

/** Reads the usage of a model call, under planspan's names or a provider's. Never throws. */
export const readUsage = (usage: unknown): ReadUsage => ({ ...usageOf(usage), unknown: countUnknown(usage) })

/** Providers report more than tokens, so other names beside theirs are no mistake. */
function countUnknown(usage: unknown): number {
  if (!isData(usage)) return 0
  try {
    const names = Object.keys(usage).filter((name) => usage[name] !== undefined && usage[name] !== null)
    const unknown = names.some((name) => isProviders(name))
      ? []
      : names.filter((name) => !KNOWN.has(name) && !TOTALS.has(name))
    for (const name of unknown) countUnknownOption('the usage of a model call', name, new Set(OWN))
    return unknown.length
  } catch {
    return 0
  }
}

const TOTALS: ReadonlySet<string> = new Set(['totalTokens', 'total_tokens', 'total'])

const isProviders = (name: string): boolean => USAGE_NAMES.has(name) && !KNOWN.has(name)
