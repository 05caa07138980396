import fc from 'fast-check'

/** A domain event of ManusX with its id in the Redis stream. */
export interface DomainEvent {
  readonly streamId: string
  readonly data: Readonly<Record<string, unknown>> & { readonly type: string }
}

type Body = Readonly<Record<string, unknown>> & { readonly type: string }

const text = fc.oneof(
  fc.constantFrom('', 'Hello', 'Größe 漢字 😀', 'two\nlines\t"quoted"', '\u2028</script>', 'null', '1795305656012-0'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const args = fc.dictionary(fc.constantFrom('url', 'text', 'id', 'n'), json, { maxKeys: 3 })

const file = fc.record({
  file_id: text,
  filename: text,
  file_path: fc.option(text),
  content_type: fc.option(text),
  size: fc.nat(),
  upload_date: fc.constant('2026-11-22T00:00:58.123081Z'),
  metadata: fc.option(args),
  user_id: fc.option(text),
  file_url: fc.option(text),
})

const message = (role: 'user' | 'assistant'): fc.Arbitrary<Body> =>
  fc.record({
    type: fc.constant('message'),
    role: fc.constant(role),
    message: text,
    attachments: fc.oneof(fc.constant(null), fc.constant([]), fc.array(file, { minLength: 1, maxLength: 2 })),
  })

interface Step {
  readonly id: string
  readonly description: string
}

const stepBody = (step: Step, status: string, rest: object = {}): object => ({
  id: step.id,
  description: step.description,
  status,
  result: null,
  error: null,
  success: false,
  attachments: [],
  ...rest,
})

const call = fc
  .record({
    id: fc.constantFrom('call_1', 'call_2', 'call_3'),
    group: fc.constantFrom('browser', 'shell', 'mcp'),
    name: fc.constantFrom('browser_navigate', 'shell_exec', 'mcp_x'),
    args,
    content: fc.option(args),
    result: fc.record({ success: fc.boolean(), message: fc.option(text), data: json }),
    returns: fc.boolean(),
  })
  .map(({ id, group, name, args: given, content, result, returns }): Body[] => {
    const of = (status: string, shown: unknown, back: unknown): Body => ({
      type: 'tool',
      tool_call_id: id,
      tool_name: group,
      tool_content: shown,
      function_name: name,
      function_args: given,
      status,
      function_result: back,
    })
    return [of('calling', null, null), ...(returns ? [of('called', content, result)] : [])]
  })

const ask: fc.Arbitrary<readonly Body[]> = fc
  .tuple(message('assistant'), fc.option(message('user')))
  .map(([asked, answer]) => [asked, { type: 'wait' }, ...(answer ? [answer] : [])])

const stepRun = (step: Step): fc.Arbitrary<Body[]> =>
  fc
    .record({
      calls: fc.array(call, { maxLength: 2 }),
      waits: fc.option(ask),
      end: fc.record({
        status: fc.constantFrom('completed', 'completed', 'failed'),
        result: fc.option(text),
        error: fc.option(text),
        success: fc.boolean(),
        attachments: fc.array(text, { maxLength: 2 }),
      }),
    })
    .map(({ calls, waits, end: { status, ...end } }) => {
      const started: Body = { type: 'step', step: stepBody(step, 'running'), status: 'started' }
      return [
        started,
        ...calls.flat(),
        ...(waits ? [...waits, started] : []),
        { type: 'step', step: stepBody(step, status, end), status },
      ]
    })

const turn: fc.Arbitrary<Body[]> = fc
  .record({
    user: fc.option(message('user')),
    plan: fc.record({
      id: fc.uuid(),
      title: text,
      goal: text,
      language: fc.option(fc.constantFrom('en', 'zh')),
      message: text,
    }),
    steps: fc.array(text, { maxLength: 3 }),
    summary: message('assistant'),
    error: fc.option(text, { freq: 4 }),
    skill: fc.boolean(),
  })
  .chain(({ steps, ...rest }) => {
    const known = steps.map((description, index) => ({ id: String(index + 1), description }))
    return fc.record({ ...constants(rest), steps: fc.constant(known), runs: fc.tuple(...known.map(stepRun)) })
  })
  .map(({ user, plan: { message: said, ...plan }, steps, runs, summary, error, skill }) => {
    const planEvent = (status: string, word: string, done: number): Body => ({
      type: 'plan',
      plan: {
        ...plan,
        steps: steps.map((step, index) =>
          index < done ? stepBody(step, 'completed', { success: true, result: 'ok' }) : stepBody(step, 'pending'),
        ),
        message: said,
        status,
        result: null,
        error: null,
      },
      status: word,
      step: null,
    })
    const begun: Body[] = [
      ...(user ? [user] : []),
      { type: 'title', title: plan.title },
      { type: 'message', role: 'assistant', message: said, attachments: [] },
      planEvent('pending', 'created', 0),
      ...(skill ? [{ type: 'skill', skill_name: 'pdf', status: 'loaded' }] : []),
      ...runs.flatMap((run, index) => [...run, planEvent('running', 'updated', index + 1)]),
    ]
    if (error !== null) return [...begun, { type: 'error', error }]
    return [...begun, summary, planEvent('completed', 'completed', steps.length), { type: 'done' }]
  })

const constants = <T extends object>(values: T): { [K in keyof T]: fc.Arbitrary<T[K]> } =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fc.constant(value)])) as {
    [K in keyof T]: fc.Arbitrary<T[K]>
  }

const START = Date.UTC(2026, 10, 22, 0, 0, 55)

/** One or two turns of a session, truncated anywhere. */
export const session: fc.Arbitrary<DomainEvent[]> = fc
  .tuple(fc.array(turn, { minLength: 1, maxLength: 2 }), fc.double({ min: 0.3, max: 1, noNaN: true }))
  .map(([turns, share]) => {
    const bodies = turns.flat()
    return bodies.slice(0, Math.max(1, Math.ceil(bodies.length * share))).map((body, index) => {
      const at = START + index * 137
      const { type, ...rest } = body
      const timestamp = new Date(at).toISOString().replace('Z', '123')
      return { streamId: `${at}-0`, data: { type, id: `uuid-${index}`, timestamp, ...rest } }
    })
  })

type Loose = Readonly<Record<string, unknown>>

/** An event as the server sends it to clients, from ManusX's interface schema, independently of the mapping. */
function interfaceEvent({ streamId, data }: DomainEvent, newer: boolean): { event: string; data: object } {
  const { type, id: _id, timestamp: reported, ...rest } = data as Loose & { type: string }
  const head = { event_id: streamId, timestamp: Math.floor(Date.parse(`${String(reported)}Z`) / 1000) }
  const body = (): object => {
    if (type === 'message')
      return { role: rest['role'], content: rest['message'], attachments: shown(rest['attachments']) }
    if (type === 'plan') return { steps: (rest['plan'] as { steps: Loose[] }).steps.map((step) => shownStep(step)) }
    if (type === 'step') return stepOf(rest['step'] as Loose)
    if (type !== 'tool') return rest
    return {
      tool_call_id: rest['tool_call_id'],
      name: rest['tool_name'],
      status: rest['status'],
      function: rest['function_name'],
      args: rest['function_args'],
      content: rest['tool_content'],
      ...(newer ? { brief: null } : {}),
    }
  }
  const stepOf = ({ status, id, description, result }: Loose): object => ({
    status,
    id,
    description,
    ...(newer ? { result } : {}),
  })
  const shownStep = (step: Loose): object => ({ ...head, ...stepOf(step) })
  return { event: type, data: { ...head, ...body() } }
}

function shown(files: unknown): unknown {
  if (!Array.isArray(files) || files.length === 0) return null
  return files.map(({ file_path: _path, user_id: _owner, ...file }: Record<string, unknown>) => file)
}

/** Formats like Python's json.dumps with its default separators. */
const spaced = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}: ${spaced(member)}`)
    .join(', ')}}`
}

/** A session in each of its serializations, byte for byte as the systems write it. */
export const SERIALISATIONS = {
  redis: (events: readonly DomainEvent[]) =>
    events.map(({ streamId, data }) => `${spaced({ id: streamId, data })}\n`).join(''),
  domain: (events: readonly DomainEvent[]) => events.map(({ data }) => `${JSON.stringify(data)}\n`).join(''),
  websocket: (events: readonly DomainEvent[]) =>
    events
      .map((event) => `${JSON.stringify({ type: 'event', session_id: 's-1', ...interfaceEvent(event, true) })}\n`)
      .join(''),
  sse: (events: readonly DomainEvent[], { newer = false, pings = true } = {}) =>
    events
      .map((event, index) => {
        const { event: name, data } = interfaceEvent(event, newer)
        const ping = pings && index % 5 === 4 ? ': ping - 2026-11-22 00:00:56.123456+00:00\r\n\r\n' : ''
        return `event: ${name}\r\ndata: ${JSON.stringify(data)}\r\n\r\n${ping}`
      })
      .join(''),
  session: (events: readonly DomainEvent[], newer = false) =>
    JSON.stringify({
      code: 0,
      msg: 'success',
      data: {
        session_id: 's-1',
        title: events.find(({ data }) => data.type === 'title')?.data['title'] ?? null,
        status: 'running',
        events: events.map((event) => interfaceEvent(event, newer)),
        is_shared: false,
      },
    }),
} as const
