import { ATTR } from '../../../semconv/index.js'
import type { JsonNode } from '../../json/node.js'
import { stateOf } from '../../state.js'
import type { SpanNode } from '../../tree.js'
import { carriedBy, collectEvents } from './collect.js'
import { sessionDocument } from './decode.js'
import { deriveEvents } from './derive.js'
import { eraNamed, type Serialisation } from './era.js'
import { writeItem } from './item.js'
import { Stamps, toDomain, toInterface } from './translate.js'
import { DOMAIN } from './vocabulary.js'

/** A session in a serialisation that its spans were not imported in. The SSE stream does not repeat what the user said. */
export function convertPlanAct(serialisation: Serialisation, plan: SpanNode): JsonNode {
  const era = eraNamed(serialisation, '')
  const events = isSession(plan) ? collectEvents(plan) : deriveEvents(plan)
  const stamps = new Stamps()
  const items = events
    .filter(({ type, values }) => type !== undefined && !(serialisation === 'sse' && values['role'] === 'user'))
    .map((event) => stamps.stamp(event))
    .map((event) => writeItem(era.vocabulary === DOMAIN ? toDomain(event) : toInterface(event), era))
  if (serialisation !== 'session') return { kind: 'array', items }
  const carried = carriedBy(plan)
  const sessionId = carried['sessionId'] ?? carried['recordId']
  const sessionStatus = carried['sessionStatus'] ?? sessionStatusOf(plan)
  return sessionDocument({ sessionShared: false, ...carried, sessionId, sessionStatus }, items)
}

const isSession = ({ span }: SpanNode): boolean => span.attributes[ATTR.recordDialect]?.startsWith('plan-act:') === true

/** ManusX calls a session completed after an error, too. */
function sessionStatusOf(plan: SpanNode): string {
  const state = stateOf(plan)
  if (state === 'waiting') return 'waiting'
  return state === 'completed' || state === 'failed' || state === 'cancelled' ? 'completed' : 'running'
}
