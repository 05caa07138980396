import { writeJsonDocument } from '../../json/write.js'
import type { SpanNode } from '../../tree.js'
import { deriveEvents } from './derive.js'
import { eraNamed } from './era.js'
import { textOf, type PlanActEvent } from './event.js'
import { writeItem } from './item.js'
import { toInterface } from './translate.js'

/** One event of a plan as a frame of its stream. */
export interface EventFrame {
  /** Its `event_id`, `<ms>-<n>`: the number is the same whenever the event is derived, the time may become an earlier one. */
  readonly id: string
  /** Belongs to the end of the plan. */
  readonly isEnd: boolean
  /** The lines of the frame, the empty one at its end included; without an `id` line. */
  write(): string
}

/** What ManusX would stream of a plan that is not its own. The stream does not repeat what the user said. */
export const eventFrames = (plan: SpanNode): EventFrame[] =>
  deriveEvents(plan)
    .filter(({ values }) => values['role'] !== 'user')
    .map((event) => ({
      id: textOf(event.values['streamId']) ?? '',
      isEnd: event.isEnd ?? false,
      write: () => frameText(event),
    }))

/** The frame of an error that no span tells of. */
export const errorFrame = (id: string, time: bigint, error: string): string =>
  frameText({ seq: 0, type: 'error', time, values: { streamId: id, error } })

function frameText(event: PlanActEvent): string {
  const era = eraNamed('sse', '')
  return writeJsonDocument({ kind: 'array', items: [writeItem(toInterface(event), era)] }, era.style)
}
