/** A text as ClickHouse's SQL writes it. */
export const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** An array of texts as ClickHouse's SQL writes it. */
export const listLiteral = (texts: readonly string[]): string => `[${texts.map(literal).join(', ')}]`
