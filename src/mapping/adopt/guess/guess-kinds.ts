import { appendTo } from '../../../base/append.js'
import { ATTR } from '../../../semconv/index.js'
import type { AdoptNode } from '../adopt-node.js'
import { guessOf } from './guess.js'
import { kindRuleOf } from '../kind-of.js'
import { NAME } from '../kind.js'

/**
 * Reads the spans of instrumentations that no rule knows by the names of their attributes, and marks this as a gap,
 * once for each instrumentation. In a trace that rules can read, only model calls are read this way.
 */
export function guessKinds(nodes: readonly AdoptNode[]): void {
  const known = new Set(nodes.flatMap((node) => (isKnown(node) ? [node.span.scopeName] : [])))
  const unknown = new Map<string, AdoptNode[]>()
  for (const node of nodes) {
    const { span } = node
    const guess = known.has(span.scopeName) ? undefined : guessOf(span)
    if (guess && (known.size === 0 || (guess.kind === 'generation' && guess.isCounted)))
      appendTo(unknown, span.scopeName, node)
  }
  for (const [scope, spans] of unknown) {
    if (!spans.some(({ span }) => guessOf(span)?.kind === 'generation')) continue
    for (const node of spans) takeGuess(node)
    const [first] = spans
    if (first)
      first.attributes[ATTR.adoptedGap] =
        `the rules for "${scope}": its spans were read by the names of their attributes`
  }
}

/** Whether planspan knows the attributes of a span. Names of spans alone, as the conventions have, do not show that. */
function isKnown({ own, span }: AdoptNode): boolean {
  if (own !== undefined) return true
  const rule = kindRuleOf(span)
  return rule !== undefined && (rule.convention !== 'gen_ai' || Object.keys(rule.when).some((key) => key !== NAME))
}

function takeGuess(node: AdoptNode): void {
  const guess = guessOf(node.span)
  if (!guess) return
  node.guess = guess
  if (node.convention === undefined) node.kind = guess.kind
  node.convention = 'unknown'
  node.span = { ...node.span, attributes: { ...guess.attributes, ...node.span.attributes } }
}
