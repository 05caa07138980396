import { DIALECT_NAMES } from '../../mapping/index.js'
import { STATES, VERDICTS } from '../../semconv/index.js'
import type { ListedCommand } from '../commands.js'

/** A command, as completion needs it. */
export interface DescribedCommand {
  readonly name: string
  readonly description: string
  /** Whether its arguments are files. */
  readonly takesFiles: boolean
  /** The words that its argument accepts, if they are few. */
  readonly words: readonly string[]
  readonly options: readonly DescribedOption[]
}

export interface DescribedOption {
  readonly name: string
  readonly description: string
  readonly takesValue: boolean
  /** The values that it accepts, if they are few. */
  readonly values: readonly string[]
  /** Whether it accepts several values, separated by commas. */
  readonly takesSeveral: boolean
  /** Whether its value is a path. */
  readonly takesPath: boolean
}

/** The values for a part of an option's hint; a lower-case part is a value itself. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'STATE,…': STATES,
  DIALECT: DIALECT_NAMES,
  VERDICT: VERDICTS,
  BY: ['start', 'duration', 'tokens', 'cost', 'risk'],
}
const PATHS: ReadonlySet<string> = new Set(['FILE', 'DIR'])

/** Loads all commands and describes them. */
export async function describeCommands(commands: Readonly<Record<string, ListedCommand>>): Promise<DescribedCommand[]> {
  const described = Object.entries(commands).map(async ([name, { description, load }]) => {
    const { argument, options } = (await load()).command
    return {
      name,
      description,
      takesFiles: /^(?:FILE|RULES)\b/.test(argument?.name ?? ''),
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
