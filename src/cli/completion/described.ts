import { DIALECT_NAMES } from '../../mapping/index.js'
import { STATES, VERDICTS } from '../../semconv/index.js'
import type { ListedCommand } from '../commands.js'

/** What can be written after `planspan`. */
export interface DescribedCommand {
  readonly name: string
  readonly description: string
  /** Whether it takes files. */
  readonly takesFiles: boolean
  /** What its argument can be, where that is one of a few words. */
  readonly words: readonly string[]
  readonly options: readonly DescribedOption[]
}

export interface DescribedOption {
  readonly name: string
  readonly description: string
  readonly takesValue: boolean
  /** The values that it takes, where they are few. */
  readonly values: readonly string[]
  /** Whether it takes several of them, separated by commas. */
  readonly takesSeveral: boolean
  /** Whether its value is a path. */
  readonly takesPath: boolean
}

/** The values that a part of an option's hint stands for; one in small letters stands for itself. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'STATE,…': STATES,
  DIALECT: DIALECT_NAMES,
  VERDICT: VERDICTS,
  BY: ['start', 'duration', 'tokens', 'cost', 'risk'],
}
const PATHS: ReadonlySet<string> = new Set(['FILE', 'DIR'])

/** All commands with their options, each of which is loaded for it. */
export async function describeCommands(commands: Readonly<Record<string, ListedCommand>>): Promise<DescribedCommand[]> {
  const described = Object.entries(commands).map(async ([name, { description, load }]) => {
    const { argument, options } = (await load()).command
    return {
      name,
      description,
      takesFiles: argument?.name === 'FILE',
      words: argument?.values ?? [],
      options: Object.entries(options).map(([option, { type, description: text, valueHint = '' }]) => ({
        name: option,
        description: text,
        takesValue: type === 'string',
        values: valuesOf(valueHint),
        takesSeveral: valueHint.endsWith(',…'),
        takesPath: PATHS.has(valueHint),
      })),
    }
  })
  return Promise.all(described)
}

const valuesOf = (hint: string): string[] =>
  hint.split('|').flatMap((part) => VALUES[part] ?? (/^[a-z]+$/.test(part) ? [part] : []))
