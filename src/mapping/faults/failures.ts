import { byEnd, errorsOf, type SpanError, stateIfBegun, ancestors, nodesOf, type SpanNode } from '../tree/index.js'

/** A span that failed by itself, not because a span below it failed. */
export interface Failure {
  readonly node: SpanNode
  /** The recorded errors. Some spans fail without recording an error. */
  readonly errors: readonly SpanError[]
  /** The outermost span that failed with it, or the node itself if the spans above it continued. */
  readonly reached: SpanNode
}

/** The length of the part of an error's text that is compared. */
const COMPARED = 500

/**
 * Returns the failures in a forest, by end time. An error that is rethrown from span to span is one failure: that of
 * the innermost span that recorded it. A failed span above that records no error, or repeats the error, belongs to the
 * same failure.
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
  node.span.statusCode === 'ERROR' || (node.role !== undefined && stateIfBegun(node) === 'failed')

/** An error in the form in which it is compared with those above and below it. */
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

/** Whether the errors above repeat one of those below, by text or by class. */
const isCarried = (above: readonly ComparedError[], below: readonly ComparedError[]): boolean =>
  above.length === 0 ||
  above.some(({ text, type, isClass }) =>
    below.some((one) => (one.text !== '' && text.includes(one.text)) || (isClass && type === one.type)),
  )
