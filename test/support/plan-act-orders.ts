import fc from 'fast-check'
import { session, type DomainEvent } from './plan-act-records.js'
import { called, calling, done, error, eventsOf, message, plan, step, title, wait } from './plan-act-run.js'

const steps = { '1': 'pending', '2': 'pending' }

/** Every kind of event that ManusX emits. */
const anything = fc.constantFrom(
  title('A title'),
  message('user', 'Do it'),
  message('assistant', 'On it'),
  plan('created', steps),
  plan('updated', { '1': 'completed', '2': 'pending' }),
  plan('updated', { '2': 'pending', '3': 'pending' }),
  plan('completed', steps),
  step('1', 'started'),
  step('1', 'started'),
  step('1', 'completed', { result: 'Listed', success: true, attachments: ['/a.txt'] }),
  step('1', 'failed', { error: 'Too many rounds' }),
  step('2', 'started'),
  step('2', 'completed', { result: 'Done', success: true }),
  calling('a'),
  calling('b'),
  called('a'),
  called('a', false),
  called('b'),
  wait,
  error('Task error: boom'),
  done,
)

/** The events of a session, mostly in an order that ManusX never emits. */
export const anySession: fc.Arbitrary<DomainEvent[]> = fc.oneof(
  { arbitrary: fc.array(anything, { minLength: 1, maxLength: 30 }).map(eventsOf), weight: 4 },
  session,
)

/** Whether an event ends a run. */
export const isEnd = ({ data: { type } }: DomainEvent): boolean => type === 'done' || type === 'error'

/** The runs of a session. Between two runs, only a second end belongs to a run, and other events are dropped. */
export function runsOf(events: readonly DomainEvent[]): DomainEvent[][] {
  const runs: DomainEvent[][] = []
  let isOver = true
  for (const event of events) {
    const beginsNothing = isEnd(event) || event.data.type === 'wait' || event.data.type === 'skill'
    if (isOver && !beginsNothing) runs.push([])
    else if (isOver && (runs.length === 0 || !isEnd(event))) continue
    runs.at(-1)?.push(event)
    isOver = isEnd(event)
  }
  return runs
}
