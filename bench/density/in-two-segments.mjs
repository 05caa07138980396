import { createHash } from 'node:crypto'

import { ATTR, ROLES } from '../../dist/semconv/index.js'

/** A live plan as it would be had it been resumed after the first half of its agents. */
export function inTwoSegments({ service, spans }) {
  const root = spans.find(({ parentSpanId }) => parentSpanId === '')
  const agents = spans.filter(({ parentSpanId, attributes }) => parentSpanId === root.spanId && isAgent(attributes))
  const later = new Set(agents.slice(Math.ceil(agents.length / 2)).map(({ spanId }) => spanId))
  const [resumedAt] = agents.filter(({ spanId }) => later.has(spanId)).map(({ startTimeUnixNano: start }) => start)
  const agentCount = (count) => ({ [`${ATTR.childrenPrefix}agent`]: count })
  const first = {
    ...root,
    endTimeUnixNano: resumedAt,
    attributes: { ...root.attributes, ...agentCount(agents.length - later.size), [ATTR.state]: 'waiting' },
  }
  const counts = new Set(ROLES.map((role) => ATTR.childrenPrefix + role))
  const second = {
    ...root,
    spanId: createHash('sha256').update(root.spanId).digest('hex').slice(0, 16),
    parentSpanId: root.spanId,
    startTimeUnixNano: resumedAt,
    events: [],
    attributes: {
      ...Object.fromEntries(Object.entries(root.attributes).filter(([key]) => !counts.has(key))),
      ...agentCount(later.size),
      [ATTR.planSegment]: 1,
    },
  }
  const rest = spans
    .filter((span) => span !== root)
    .map((span) => (later.has(span.spanId) ? { ...span, parentSpanId: second.spanId } : span))
  return { service, spans: [first, second, ...rest] }
}

const isAgent = (attributes) => attributes[ATTR.spanKind] === 'agent'
