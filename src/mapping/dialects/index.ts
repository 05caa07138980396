import { PlanspanError } from '../../error.js'
import { DIALECT_NAMES, type Dialect, type DialectName } from '../dialect.js'
import type { JsonNode } from '../json/node.js'
import { planExecution } from './plan-execution/index.js'

/** Every dialect, in the order in which documents are tried. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = { 'plan-execution': planExecution }

/** Whether a text names a dialect. */
export const isDialectName = (text: string | undefined): text is DialectName =>
  DIALECT_NAMES.some((name) => name === text)

/** The dialect of a document, told by its content; `unknown_dialect` where it is none. */
export function detectDialect(document: JsonNode): Dialect {
  const found = Object.values(DIALECTS).find((dialect) => dialect.detect(document))
  if (found) return found
  const seen =
    document.kind === 'object'
      ? `an object with ${keysInWords(document.members.map(({ key }) => key.value))}`
      : `a JSON ${document.kind === 'literal' ? String(document.value) : document.kind}`
  const message = `No known record format: ${seen}. Known: ${DIALECT_NAMES.join(', ')}; name one with --format.`
  throw new PlanspanError('unknown_dialect', message)
}

function keysInWords(keys: readonly string[]): string {
  if (keys.length === 0) return 'no keys'
  const shown = keys.slice(0, 8).map((key) => JSON.stringify(key.slice(0, 40)))
  return `the keys ${shown.join(', ')}${keys.length > shown.length ? ' and more' : ''}`
}
