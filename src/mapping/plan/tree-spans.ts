import { ATTR, type State, type StoredSpan } from '../../semconv/index.js'
import { adopt } from '../adopt/index.js'
import { failuresOf, isActionTaken, showStoppedActions } from '../faults/index.js'
import type { CostOfCall } from '../usage/index.js'
import {
  byStart,
  endOf,
  errorText,
  foldSpans,
  type FoldedSpan,
  buildForest,
  type ForestOptions,
  oneLine,
  stateIfBegun,
  type SpanNode,
  walk,
} from '../tree/index.js'

/** A span in its place in the tree. The segments of a resumed plan are one span. */
export interface TreeSpan extends FoldedSpan {
  /** The state of the span. Undefined if it has not begun, and for spans of foreign instrumentation. */
  readonly state: State | undefined
  /** The segment of the resumed plan that contains the span, from 0. */
  readonly segment: number
  /** The message of an original failure on one line, empty without one. Undefined for other spans. */
  readonly failure: string | undefined
  /** The cost of a model call, US dollars. Undefined if unknown. */
  readonly costUsd: number | undefined
}

export interface TreeOptions extends ForestOptions {
  /** @default no cost is known */
  readonly costOfCall?: CostOfCall
}

/**
 * Returns the spans of one trace in their trees, by start. A live plan includes the calls that guardrails stopped, and
 * each guardrail says whether its action was taken. A span that never ended lasts until the last
 * sign of life of its run.
 */
export const treeSpans = (rows: Iterable<StoredSpan>, { costOfCall, ...options }: TreeOptions = {}): TreeSpan[] =>
  spansOfForest(buildForest(foldSpans(adopt(rows)), options), costOfCall)

/** Returns the spans of a forest. Adds the stopped calls to the forest. */
export function spansOfForest(roots: readonly SpanNode[], costOfCall: CostOfCall = () => undefined): TreeSpan[] {
  const failures = new Map(failuresOf(roots).map(({ node, errors }) => [node, errors.at(-1)]))
  for (const root of roots) showStoppedActions(root)
  return roots
    .flatMap((root) => {
      const nodes = [...walk(root)]
      const lastSigns = lastSignsOf(nodes)
      return nodes.map((node): TreeSpan => {
        const state = node.role === undefined ? undefined : stateIfBegun(node)
        const error = failures.get(node)
        return {
          ...node.span,
          ...(node.span.pending && state === 'interrupted' && { endTimeUnixNano: lastSigns(node) }),
          attributes: attributesOf(node),
          parentSpanId: node.parent?.span.spanId ?? node.span.parentSpanId,
          state,
          segment: node.segment,
          failure: failures.has(node) ? oneLine(error ? errorText(error) : '') : undefined,
          costUsd: node.role === 'llm' ? costOfCall(node) : undefined,
        }
      })
    })
    .sort(byStart)
}

/** Returns a function that finds the last sign of life in the run of a plan that a span belongs to. */
function lastSignsOf(nodes: readonly SpanNode[]): (node: SpanNode) => bigint {
  let ends: Map<number, bigint> | undefined
  const endsOfRuns = (): Map<number, bigint> => {
    const latest = new Map<number, bigint>()
    for (const { segment, span, begun } of nodes) {
      if (begun > span.startTimeUnixNano) continue
      const [end, known] = [endOf(span), latest.get(segment)]
      if (known === undefined || end > known) latest.set(segment, end)
    }
    return latest
  }
  return ({ segment, begun, span }) => {
    ends ??= endsOfRuns()
    // A plan or an agent with several runs belongs to none of them, and lasts until the end of the last one.
    const runs = begun > span.startTimeUnixNano ? [...ends.values()] : [ends.get(segment) ?? 0n]
    return runs.reduce((last, end) => (end > last ? end : last), endOf(span))
  }
}

function attributesOf(node: SpanNode): Readonly<Record<string, string>> {
  const { attributes } = node.span
  const actionTaken = node.role === 'guardrail' ? isActionTaken(node) : undefined
  return actionTaken === undefined ? attributes : { ...attributes, [ATTR.riskActionTaken]: String(actionTaken) }
}
