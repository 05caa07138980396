import { readFileSync } from 'node:fs'

const SECTION = /^-- name: (\w+)\n/m

// On a line of its own, so that what stands for it is indented as it is.
const PLACEHOLDER = /^( *)\{\{(\w+)\}\}$/gm

/**
 * The queries of a dashboard, from the .sql file of its name: each under a line `-- name: NAME`. A line `{{NAME}}`
 * stands for the text of that name: what several queries have in common.
 */
export function readQueries(name: string): (query: string) => string {
  const [, ...parts] = readFileSync(new URL(`${name}.sql`, import.meta.url), 'utf8').split(SECTION)
  const texts = new Map<string, string>()
  for (let at = 0; at < parts.length; at += 2) texts.set(parts[at] ?? '', (parts[at + 1] ?? '').trim())
  const read = (query: string): string => {
    const text = texts.get(query)
    if (text === undefined)
      throw new Error(`${name}.sql has no query "${query}". It has: ${[...texts.keys()].join(', ')}.`)
    return text.replaceAll(PLACEHOLDER, (_, indent: string, part: string) => read(part).replaceAll(/^/gm, indent))
  }
  return read
}
