/** A variable's value: one option, several options, or all options. */
export interface VariableValue {
  readonly name: string
  /** The selected options; only `$__all` if all options are selected. */
  readonly value: string | readonly string[]
  /** What `$__all` stands for. */
  readonly options: readonly string[]
}

/** The value of "All" in URLs and models of Grafana. */
export const ALL = '$__all'

type Format = (value: string | readonly string[]) => string

const FORMATS: Readonly<Record<string, Format>> = {
  raw: (value) => (typeof value === 'string' ? value : value.join(',')),
  singlequote: (value) => each(value, (one) => `'${one.replaceAll("'", String.raw`\'`)}'`),
  sqlstring: (value) => each(value, (one) => `'${one.replaceAll("'", "''")}'`),
}

// The plugin's default: a list in quotes without escaping, or a single value unchanged.
const byDefault: Format = (value) => (typeof value === 'string' ? value : `'${value.join("','")}'`)

const REFERENCE = /\$(\w+)|\$\{(\w+)(?::(\w+))?\}/g

/** Replaces variables in a query as Grafana does. Other names, such as macros, remain. */
export function interpolateVariables(sql: string, variables: readonly VariableValue[]): string {
  return sql.replaceAll(
    REFERENCE,
    (reference, bare: string | undefined, braced: string | undefined, format?: string) => {
      const variable = variables.find(({ name }) => name === (bare ?? braced))
      if (!variable) return reference
      const write = format === undefined ? byDefault : FORMATS[format]
      if (!write)
        throw new Error(`Variable format "${format}" in ${reference}: use ${Object.keys(FORMATS).join(', ')}.`)
      return write(isAll(variable.value) ? variable.options : variable.value)
    },
  )
}

/**
 * Replaces `$__conditionalAll(condition, $variable)` by its condition, or by 1=1 if the variable is empty or "All".
 * The plugin does so in the browser, before variables are replaced.
 */
export function applyConditionalAll(sql: string, variables: readonly VariableValue[]): string {
  const macro = '$__conditionalAll('
  let text = sql
  for (let at = text.lastIndexOf(macro); at !== -1; at = text.lastIndexOf(macro)) {
    const open = at + macro.length
    const { args, end } = splitArguments(text, open)
    const [condition, reference] = args
    if (args.length !== 2 || condition === undefined || reference === undefined) {
      throw new Error(`$__conditionalAll takes a condition and a variable, not ${args.length} arguments: ${text}`)
    }
    const name = /\$\{?(\w+)/.exec(reference)?.[1]
    const variable = variables.find((candidate) => candidate.name === name)
    if (!variable)
      throw new Error(`$__conditionalAll names ${reference.trim()}, which is no variable of the dashboard.`)
    const filters = variable.value.length > 0 && !isAll(variable.value)
    text = text.slice(0, at) + (filters ? condition : '1=1') + text.slice(end + 1)
  }
  return text
}

/**
 * The arguments from behind an opening parenthesis to the closing one, which is at `end`. Quotes do not count, as
 * there.
 */
export function splitArguments(
  text: string,
  start: number,
): { readonly args: readonly string[]; readonly end: number } {
  const args: string[] = []
  let depth = 1
  let from = start
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '(') depth++
    if (character === ')') depth--
    if (depth === 0 || (character === ',' && depth === 1)) {
      args.push(text.slice(from, at))
      from = at + 1
    }
    if (depth === 0) return { args, end: at }
  }
  throw new Error(`A parenthesis is not closed: ${text}`)
}

function isAll(value: string | readonly string[]): boolean {
  return value === ALL || (typeof value !== 'string' && value.length === 1 && value[0] === ALL)
}

function each(value: string | readonly string[], write: (one: string) => string): string {
  return (typeof value === 'string' ? [value] : value).map(write).join(',')
}
