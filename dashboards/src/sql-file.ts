import { readFileSync } from 'node:fs'

const SECTION = /^-- name: (\w+)\n/m
const PLACEHOLDER = /\{\{(\w+)\}\}/g

/**
 * The queries of a dashboard, from the .sql file of its name: each under a line `-- name: NAME`. `{{NAME}}` stands for
 * the text of that name, in this file or in shared.sql: what several queries have in common.
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

/** A text as far from the margin as the line that it goes into. */
function indented(text: string, into: string, at: number): string {
  const line = into.slice(into.lastIndexOf('\n', at) + 1)
  return text.replaceAll('\n', `\n${' '.repeat(line.search(/\S/))}`)
}
