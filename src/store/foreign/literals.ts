/** A text as ClickHouse's SQL writes it. */
export const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

export const listLiteral = (texts: readonly string[]): string => `[${texts.map(literal).join(', ')}]`

/** Texts for IN. */
export const tuple = (texts: readonly string[]): string => `(${texts.map(literal).join(', ')})`

/** An expression in the words of RE2, whose groups are numbered. */
export const re2 = ({ source }: RegExp): string => source.replaceAll(/\(\?<\w+>/g, '(')

/** One expression for several texts and expressions. */
export const alternatives = (expected: readonly (string | RegExp)[]): string =>
  expected.map((one) => (typeof one === 'string' ? `^${escaped(one)}$` : `(?:${re2(one)})`)).join('|')

/** What a line, which ends with a line break, goes on with where its value is as expected. */
export function patternOf(expected: string | RegExp): string {
  if (typeof expected === 'string') return `${escaped(expected)}\\n`
  const source = re2(expected).replace(/\$$/, '\\n')
  return source.startsWith('^') ? source.slice(1) : `.*${source}`
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
