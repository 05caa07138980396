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
