import { readFileSync } from 'node:fs'

const SECTION = /^-- name: (\w+)\n/m
const PLACEHOLDER = /\{\{(\w+)\}\}/g

/**
 * Reads the queries of a dashboard from the .sql file of the same name. Each query follows a line `-- name: NAME`.
 * `{{NAME}}` is replaced by the text of that name, from this file or from shared.sql.
 */
export function readQueries(name: string): (query: string) => string {
  const texts = new Map([...sections('shared'), ...sections(name)])
  const read = (query: string): string => {
    const text = texts.get(query)
    if (text === undefined)
      throw new Error(`${name}.sql has no query "${query}". It has: ${[...texts.keys()].join(', ')}.`)
    return text.replaceAll(PLACEHOLDER, (_, part: string, at: number) => indented(read(part), text, at))
  }
  return read
}

function sections(name: string): (readonly [name: string, text: string])[] {
  const [, ...parts] = readFileSync(new URL(`${name}.sql`, import.meta.url), 'utf8').split(SECTION)
  return Array.from({ length: parts.length / 2 }, (_, at) => [parts[2 * at] ?? '', (parts[2 * at + 1] ?? '').trim()])
}

/** Indents a text like the line into which it is inserted. */
function indented(text: string, into: string, at: number): string {
  const line = into.slice(into.lastIndexOf('\n', at) + 1)
  return text.replaceAll('\n', `\n${' '.repeat(line.search(/\S/))}`)
}
