import {
  type FoldedSpan,
  errorsOf,
  type SpanError,
  standingOf,
  ancestors,
  nodesOf,
  type SpanNode,
} from '../tree/index.js'

/** Something that failed by itself, not because of what failed below it. */
export interface Failure {
  readonly node: SpanNode
  /** What it tells of that; some spans tell that they failed, and not why. */
  readonly errors: readonly SpanError[]
  /** The outermost that failed with it: the node itself, where those above went on. */
  readonly reached: SpanNode
}

/** As much of an error's text as tells it from others. */
const COMPARED = 500

/**
 * What failed in a forest, the first to end first. An error that is thrown on from span to span is one failure, that of
 * the innermost span that tells it; so is a span above that tells no error, or repeats the text of the one below.
 */
export function failuresOf(roots: readonly SpanNode[]): Failure[] {
  const failed = new Map<SpanNode, Failed>()
  for (const node of nodesOf(roots)) {
    const errors = errorsOf(node)
    if (errors.length > 0 || hasFailed(node)) failed.set(node, { errors, said: errors.map(comparedOf) })
  }
  const carriers = new Set<SpanNode>()
  const failures: Failure[] = []
  for (const [node, { errors, said }] of failed) {
    let reached = node
    for (const above of ancestors(node)) {
      const saidAbove = failed.get(above)?.said
      if (!saidAbove || !isCarried(saidAbove, said)) continue
      carriers.add(above)
      reached = above
    }
    failures.push({ node, errors, reached })
  }
  return failures.filter(({ node }) => !carriers.has(node)).sort((a, b) => byEnd(a.node.span, b.node.span))
}

interface Failed {
  readonly errors: readonly SpanError[]
  readonly said: readonly ComparedError[]
}

const hasFailed = (node: SpanNode): boolean =>
  node.span.statusCode === 'ERROR' || (node.role !== undefined && standingOf(node) === 'failed')

/** An error, as it is compared with those above and below. */
interface ComparedError {
  readonly text: string
  readonly type: string | undefined
  /** Whether the error has a class and no message. */
  readonly isClass: boolean
}

const comparedOf = ({ type, message }: SpanError): ComparedError => ({
  text: (message ?? type ?? '').slice(0, COMPARED).toLowerCase(),
  type,
  isClass: message === undefined,
})

/** Returns whether the errors above repeat one of those below. Errors are repeated by their text or by their class. */
const isCarried = (above: readonly ComparedError[], below: readonly ComparedError[]): boolean =>
  above.length === 0 ||
  above.some(({ text, type, isClass }) =>
    below.some((one) => (one.text !== '' && text.includes(one.text)) || (isClass && type === one.type)),
  )

function byEnd(a: FoldedSpan, b: FoldedSpan): number {
  if (a.endTimeUnixNano !== b.endTimeUnixNano) return a.endTimeUnixNano < b.endTimeUnixNano ? -1 : 1
  return a.spanId < b.spanId ? -1 : 1
}
