import type { DomainEvent } from './plan-act-records.js'

const START = Date.UTC(2026, 10, 22, 0, 0, 55)

/** Domain events in order, a second apart. */
export const eventsOf = (
  bodies: readonly { readonly type: string; readonly [key: string]: unknown }[],
): DomainEvent[] =>
  bodies.map(({ type, ...rest }, index) => {
    const at = START + index * 1000
    const timestamp = new Date(at).toISOString().replace('Z', '123')
    return { streamId: `${at}-0`, data: { type, id: `uuid-${index}`, timestamp, ...rest } }
  })

const file = {
  file_id: 'f1',
  filename: 'a.txt',
  file_path: '/a.txt',
  content_type: 'text/plain',
  size: 7,
  upload_date: '2026-11-22T00:00:58.123081Z',
  metadata: { a: 1 },
  user_id: 'u1',
  file_url: null,
}

export const message = (role: string, text: string, attachments: unknown[] | null = []) => ({
  type: 'message',
  role,
  message: text,
  attachments,
})
export const title = (text: string) => ({ type: 'title', title: text })
export const done = { type: 'done' }
export const wait = { type: 'wait' }
export const error = (text: string) => ({ type: 'error', error: text })

const stepBody = (id: string, status: string, rest: object = {}) => ({
  id,
  description: `Step ${id}`,
  status,
  result: null,
  error: null,
  success: false,
  attachments: [],
  ...rest,
})

export const step = (id: string, word: 'started' | 'completed' | 'failed', rest: object = {}) => ({
  type: 'step',
  step: stepBody(id, word === 'started' ? 'running' : word, rest),
  status: word,
})

export const plan = (word: 'created' | 'updated' | 'completed', steps: Record<string, string>, rest: object = {}) => ({
  type: 'plan',
  plan: {
    id: 'plan-1',
    title: 'The plan',
    goal: 'The goal',
    language: 'en',
    steps: Object.entries(steps).map(([id, status]) => stepBody(id, status)),
    message: 'On it',
    status: { created: 'pending', updated: 'running', completed: 'completed' }[word],
    result: null,
    error: null,
    ...rest,
  },
  status: word,
  step: null,
})

const toolBody = (id: string) => ({
  type: 'tool',
  tool_call_id: id,
  tool_name: 'shell',
  tool_content: null,
  function_name: 'shell_exec',
  function_args: { command: 'ls' },
})
export const calling = (id: string) => ({ ...toolBody(id), status: 'calling', function_result: null })
export const called = (id: string, success = true) => ({
  ...toolBody(id),
  tool_content: { console: 'a.txt' },
  status: 'called',
  function_result: { success, message: 'ran', data: 'a.txt' },
})

/** A session that has a value for every field of every event: two turns, a wait, a failed step, an error. */
export const fullSession: readonly DomainEvent[] = eventsOf([
  message('user', 'List my files', [file]),
  title('A title of its own'),
  message('assistant', 'On it'),
  plan('created', { '1': 'pending', '2': 'pending' }),
  step('1', 'started'),
  calling('call-1'),
  called('call-1'),
  message('assistant', 'Which folder?'),
  wait,
  message('user', 'This one'),
  step('1', 'started'),
  { type: 'skill', skill_name: 'pdf', status: 'loaded' },
  step('1', 'completed', { result: 'Listed', success: true, attachments: ['/a.txt'] }),
  plan('updated', { '1': 'completed', '2': 'pending' }, { result: { a: 1 }, error: 'slow' }),
  step('2', 'started'),
  step('2', 'failed', { error: 'Too many rounds' }),
  error('Task error: too many rounds'),
  message('user', 'Once more'),
  title('Second plan'),
  plan('created', {}, { id: 'plan-2', title: 'Second plan', goal: 'Other', language: 'de', message: 'Again' }),
  message('assistant', 'Here it is', [file]),
  plan('completed', {}, { id: 'plan-2', title: 'Second plan', goal: 'Other', language: 'de', message: 'Again' }),
  done,
])
