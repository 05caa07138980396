import { readFile } from 'node:fs/promises'
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml'

import { readRules, type Rule, type RuleProblem, valueAt } from '../../check/index.js'
import { PlanspanError } from '../../error.js'

/** Reads a file of rules. Throws `usage` with the line of each mistake. */
export async function readRulesFile(file: string): Promise<readonly Rule[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new PlanspanError(
      'usage',
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    )
  })
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [malformed] = document.errors
  if (malformed) throw invalid([`${file}:${lineAt(lines, malformed.pos[0])}: ${malformed.message}`])
  const data = documentData(file, document)
  const checked = readRules(data)
  if ('rules' in checked) return checked.rules
  throw invalid(
    checked.problems.map((problem) => {
      const name = valueAt(data, [...problem.path.slice(0, 2), 'name'])
      const rule = problem.path.length > 1 && typeof name === 'string' ? `rule ${JSON.stringify(name)}: ` : ''
      return `${file}:${lineAt(lines, offsetOf(document, problem))}: ${rule}${problem.text}`
    }),
  )
}

/** Throws `usage` if the aliases of a document expand to too much. */
function documentData(file: string, document: Document): unknown {
  try {
    return document.toJS() as unknown
  } catch (error) {
    throw invalid([`${file}: ${error instanceof Error ? error.message : String(error)}`])
  }
}

const invalid = (problems: readonly string[]): PlanspanError =>
  new PlanspanError(
    'usage',
    `The rules are invalid.\n${problems.join('\n')}\n\`planspan check --schema\` prints the JSON Schema of rules.`,
  )

const lineAt = (lines: LineCounter, offset: number): string => String(lines.linePos(offset).line)

/** Returns the position of the unknown key or the wrong value; for a missing value, of the nearest object around it. */
function offsetOf(document: Document, { path, key }: RuleProblem): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    const named = isMap(node) ? node.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined
    const found = isScalar(named?.key) ? named.key : node
    if (found && typeof found === 'object' && 'range' in found && Array.isArray(found.range))
      return Number(found.range[0])
  }
  return 0
}
