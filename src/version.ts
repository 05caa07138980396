import { readFileSync } from 'node:fs'

/** planspan's version, as its package.json has it. */
export function planspanVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  return version
}
