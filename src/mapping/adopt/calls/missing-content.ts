import { ATTR, type Role, type StoredSpan } from '../../../semconv/index.js'
import { above, type AdoptNode } from '../adopt-node.js'
import { cutMessages } from '../values/model-messages.js'
import { kindRuleOf } from '../kind-of.js'
import { isFailed } from '../outcome/span-failure.js'

/** A row that was written for a node. */
interface WrittenRow {
  readonly node: AdoptNode
  readonly row: StoredSpan
}

/** The contents of calls, by role, in words. */
const CONTENTS: Readonly<Partial<Record<Role, Readonly<Record<string, string>>>>> = {
  llm: { [ATTR.inputMessages]: 'the input messages', [ATTR.outputMessages]: 'the output messages' },
  tool: { [ATTR.toolCallArguments]: 'the arguments', [ATTR.toolCallResult]: 'the result' },
}

const contentsOf = ({ node }: WrittenRow): Readonly<Record<string, string>> =>
  node.own === undefined ? (CONTENTS[node.kind as Role] ?? {}) : {}

/**
 * Marks the calls of other instrumentations that lack contents, and returns all rows. If no call of a trace has
 * contents, or no model call has input or output messages, or no lookup its result, they were left out on purpose.
 * Otherwise a call that lacks them has a gap.
 */
export function markMissing(rows: readonly WrittenRow[]): StoredSpan[] {
  const recorded = new Set<string>()
  for (const each of rows)
    for (const key in contentsOf(each)) if (each.row.attributes[key] !== undefined) recorded.add(key + groupOf(each))
  const isLeftOut = (key: string, each: WrittenRow): boolean =>
    recorded.size === 0 || (groupOf(each) !== 'tool' && !recorded.has(key + groupOf(each)))
  return rows.map((each) => {
    const lacking = lacksOf(each)
    const leftOut = lacking.filter((key) => isLeftOut(key, each))
    const missing = lacking.filter((key) => !isLeftOut(key, each)).map((key) => contentsOf(each)[key])
    const gap = [...missing, ...(each.node.kind === 'llm' ? cutMessages(each.node.span) : [])].join(' and ')
    if (leftOut.length === 0 && gap === '') return each.row
    const attributes = {
      ...each.row.attributes,
      ...(leftOut.length > 0 && { [ATTR.redactedFields]: JSON.stringify(leftOut) }),
      ...(gap !== '' && { [ATTR.adoptedGap]: each.row.attributes[ATTR.adoptedGap] ?? `${gap} of ${nameOf(each)}` }),
    }
    return { ...each.row, attributes }
  })
}

/** The conventions let instrumentations leave out the contents of model calls, and those of lookups, by themselves. */
const groupOf = ({ node }: WrittenRow): string =>
  node.kind === 'tool' ? (kindRuleOf(node.span)?.kind ?? node.kind) : node.kind

/** The contents that an ended call lacks. Many instrumentations record those of a failed model call in no attribute. */
function lacksOf(each: WrittenRow): string[] {
  const { node, row } = each
  if (node.pending || row.attributes[ATTR.state] !== undefined || (node.kind === 'llm' && isFailed(node))) return []
  return Object.keys(contentsOf(each)).filter(
    (key) => row.attributes[key] === undefined && !(ANSWERS.has(key) && hasNoAnswer(node)),
  )
}

const ANSWERS: ReadonlySet<string> = new Set([ATTR.outputMessages, ATTR.toolCallResult])

/** Whether a call failed, or its agent or plan ended early, in a state other than completed. */
function hasNoAnswer(node: AdoptNode): boolean {
  for (let at: AdoptNode | undefined = node; at; at = above(at)) {
    if (isFailed(at) || at.attributes[ATTR.state] !== undefined) return true
    if (at.kind === 'plan') return false
  }
  return false
}

function nameOf({ node, row }: WrittenRow): string {
  const { [ATTR.toolName]: tool, [ATTR.toolCallId]: id } = row.attributes
  if (node.kind !== 'tool') return `the model call "${node.span.name}"`
  return `the call "${tool ?? node.span.name}"${id === undefined ? '' : ` (${id})`}`
}
