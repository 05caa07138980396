import { ATTR, decodeFields, everySpanFields, type Verdict } from '../../semconv/index.js'
import { walk, type SpanNode } from './span-node.js'

/** Something that a record lacks, described in words, with the span that lacks it. */
export interface Gap {
  readonly spanId: string
  readonly what: string
}

/** Returns the spans that are missing at and below a node. */
export const missingSpans = (root: SpanNode): Gap[] =>
  [...walk(root)].flatMap((node) => {
    const { spanId, parentSpanId, name } = node.span
    const isLost = node.orphan && node !== root
    return [...(isLost ? [`the parent ${parentSpanId} of "${name}"`] : []), ...node.gaps].map((what) => ({
      spanId,
      what,
    }))
  })

/** Returns one gap for each span whose program could not send some values. */
export const droppedValues = (root: SpanNode): Gap[] =>
  [...walk(root)].flatMap(({ span: { spanId, name, attributes } }) => {
    const count = attributes[ATTR.dropped] ?? '0'
    if (count === '0') return []
    return [{ spanId, what: `${count} value${count === '1' ? '' : 's'} of "${name}", which could not be sent` }]
  })

/** Returns the values of an imported record that should be times and could not be read. */
export const unreadTimes = (root: SpanNode): Gap[] =>
  [...walk(root)].flatMap(({ span: { spanId, attributes, events } }) =>
    [attributes, ...events.map((event) => event.attributes)]
      .flatMap((values) => decodeFields(UNREAD, values).unreadTimes ?? [])
      .map((path) => ({ spanId, what: `the time at ${path}, which cannot be read` })),
  )

const UNREAD = { unreadTimes: everySpanFields.unreadTimes }

/** Whether values at or below a node were left out or masked on purpose. */
export function isRedacted(root: SpanNode): boolean {
  for (const { span } of walk(root)) {
    const fields = span.attributes[ATTR.redactedFields]
    if (fields !== undefined && fields !== '[]' && fields !== '') return true
  }
  return false
}

/**
 * Returns the verdict on a rebuilt record. Missing spans outrank redacted values, which outrank an unexplained
 * difference.
 */
export function verdictOf(facts: { missing: boolean; redacted: boolean; altered: boolean }): Verdict {
  if (facts.missing) return 'partial'
  if (facts.redacted) return 'redacted'
  return facts.altered ? 'altered' : 'complete'
}
