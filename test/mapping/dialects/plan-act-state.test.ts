import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan } from '../../../src/mapping/index.js'
import { ATTR, type Span } from '../../../src/semconv/index.js'
import { SERIALISATIONS, type DomainEvent } from '../../support/plan-act-records.js'
import { called, calling, done, error, eventsOf, message, plan, step, title, wait } from '../../support/plan-act-run.js'

const spansOf = (events: readonly DomainEvent[], write = SERIALISATIONS.redis): readonly Span[] =>
  [...encodeRecords(new TextEncoder().encode(write(events)))][0]!.spans

const stateOf = (events: readonly DomainEvent[], write = SERIALISATIONS.redis): string | undefined =>
  decodeRecord(spansOf(events, write).map(toStoredSpan))?.state

const one = { '1': 'pending' }
const begun = [title('t'), message('assistant', 'm'), plan('created', one)]
const worked = [...begun, step('1', 'started'), step('1', 'completed')]
const asked = [...begun, step('1', 'started'), message('assistant', 'Which?'), wait]

describe('the state of a session', () => {
  test.each([
    ['planning before a plan', [title('t')], 'planning'],
    ['running once there is a plan', begun, 'running'],
    ['running while a step is', [...begun, step('1', 'started')], 'running'],
    ['updating after a step', worked, 'updating'],
    ['running after an update', [...worked, plan('updated', one)], 'running'],
    ['waiting for an answer', asked, 'waiting'],
    ['running after the answer', [...asked, message('user', 'This'), step('1', 'started')], 'running'],
    ['completed when done', [...worked, plan('updated', one), plan('completed', one), done], 'completed'],
    ['cancelled when done in the middle of a step', [...begun, step('1', 'started'), done], 'cancelled'],
    ['failed after an error', [...begun, step('1', 'started'), error('Task error'), error('again')], 'failed'],
    ['planning again after the next request', [...worked, error('e'), message('user', 'again')], 'planning'],
    [
      'completed when an agent without plans is done',
      [message('user', 'hi'), message('assistant', 'ho'), done],
      'completed',
    ],
  ])('is %s', (_, bodies, state) => {
    expect(stateOf(eventsOf(bodies))).toBe(state)
    expect(stateOf(eventsOf(bodies), (events) => SERIALISATIONS.session(events))).toBe(state)
  })
})

describe('the spans of a session', () => {
  const agents = (spans: readonly Span[]): unknown[] =>
    spans
      .filter(({ attributes }) => attributes[ATTR.spanKind] === 'agent')
      .map(({ attributes, events, statusCode }) => [
        attributes[ATTR.stepId],
        attributes[ATTR.state],
        events.length,
        statusCode,
      ])

  test('form one agent for a step that waits and continues, with the wait below it', () => {
    const spans = spansOf(
      eventsOf([...asked, message('user', 'This'), step('1', 'started'), step('1', 'completed'), plan('updated', one)]),
    )
    expect(agents(spans)).toEqual([['1', 'completed', 3, 'UNSET']])
    const agent = spans.find(({ attributes }) => attributes[ATTR.spanKind] === 'agent')
    const waiting = spans.find(({ attributes }) => attributes[ATTR.spanKind] === 'wait')
    expect(waiting?.parentSpanId).toBe(agent?.spanId)
    expect(waiting?.attributes).toMatchObject({ [ATTR.waitResolution]: 'submitted', [ATTR.waitWaiting]: false })
    expect(waiting!.endTimeUnixNano - waiting!.startTimeUnixNano).toBe(1_000_000_000n)
  })

  test('end a step that a new plan replaces', () => {
    const again = [message('user', 'Stop, do that'), plan('created', one), step('1', 'started')]
    expect(agents(spansOf(eventsOf([...begun, step('1', 'started'), ...again])))).toEqual([
      ['1', 'cancelled', 1, 'UNSET'],
      ['1', 'running', 1, 'UNSET'],
    ])
  })

  test('form an agent per run if a later plan reuses a step id', () => {
    const again = [plan('updated', one), step('1', 'started'), step('1', 'failed', { error: 'Too many rounds' })]
    expect(agents(spansOf(eventsOf([...worked, ...again])))).toEqual([
      ['1', 'completed', 2, 'UNSET'],
      ['1', 'failed', 2, 'ERROR'],
    ])
  })

  test('fail with the step and the call that an error ends', () => {
    const spans = spansOf(eventsOf([...begun, step('1', 'started'), calling('c'), error('Task error')]))
    expect(spans.filter(({ statusCode }) => statusCode === 'ERROR').map(({ name }) => name)).toEqual([
      'invoke_workflow plan_act',
      'invoke_agent execution',
      'agent_step execution',
      'execute_tool shell_exec',
    ])
    expect(spans[0]?.statusMessage).toBe('Task error')
    expect(spans[0]?.events.at(-1)).toMatchObject({
      name: 'exception',
      attributes: { 'exception.message': 'Task error' },
    })
  })

  test('pair a call with its return even if ids repeat, and mark the failed one', () => {
    const calls = [calling('c'), called('c'), calling('d'), calling('c'), called('c', false), called('e')]
    const tools = spansOf(eventsOf([...begun, step('1', 'started'), ...calls])).filter(
      ({ attributes }) => attributes[ATTR.spanKind] === 'tool',
    )
    expect(
      tools.map(({ attributes, events }) => [attributes[ATTR.toolCallId], attributes[ATTR.state], events.length]),
    ).toEqual([
      ['c', 'completed', 2],
      ['d', 'running', 1],
      ['c', 'failed', 2],
      ['e', 'completed', 1],
    ])
  })

  test('have no recorded end if the last event has no time', () => {
    const [first, ...events] = eventsOf([...begun, step('1', 'started'), calling('c'), called('c')]).toReversed()
    const { timestamp: _, ...data } = first!.data
    const spans = spansOf([...events.toReversed(), { ...first!, data }], SERIALISATIONS.domain)
    const derived = spans.filter(({ attributes }) => attributes[ATTR.timeSynthetic])
    expect(derived.map(({ name }) => name)).toEqual([
      'invoke_agent execution',
      'agent_step execution',
      'execute_tool shell_exec',
    ])
  })

  test('assign tools that are called during the summary to an agent without a step', () => {
    const spans = spansOf(eventsOf([...worked, plan('updated', one), calling('c'), called('c'), done]))
    expect(agents(spans)).toEqual([
      ['1', 'completed', 2, 'UNSET'],
      [undefined, 'completed', 0, 'UNSET'],
    ])
  })

  test('have the times of the stream ids, whatever the zone of the events', () => {
    const events = eventsOf(worked)
    const inShanghai = events.map(({ streamId, data }) => {
      const local = new Date(Number.parseInt(streamId, 10) + 8 * 3_600_000).toISOString().replace('Z', '123')
      return { streamId, data: { ...data, timestamp: local } }
    })
    const times = (spans: readonly Span[]) => spans.map((span) => [span.startTimeUnixNano, span.endTimeUnixNano])
    expect(times(spansOf(inShanghai))).toEqual(times(spansOf(events)))
  })
})

describe('the format of a file', () => {
  test.each([
    ['plan-act:events', SERIALISATIONS.redis(eventsOf(worked))],
    ['plan-act:events', SERIALISATIONS.domain(eventsOf(worked))],
    ['plan-act:events', SERIALISATIONS.websocket(eventsOf(worked))],
    ['plan-act:events', `{"type":"joined","session_id":"s"}\n${SERIALISATIONS.websocket(eventsOf(worked))}`],
    ['plan-act:sse', SERIALISATIONS.sse(eventsOf(worked))],
    ['plan-act:sse', `: ping - 2026-11-22 00:00:56.123456+00:00\r\n\r\n${SERIALISATIONS.sse(eventsOf(worked))}`],
    ['plan-act:session', SERIALISATIONS.session(eventsOf(worked))],
    ['plan-act:session', SERIALISATIONS.session([])],
  ])('is detected by its content: %s', (dialect, text) => {
    const [record] = encodeRecords(new TextEncoder().encode(text))
    expect(record?.dialect).toBe(dialect)
    expect(decodeRecord(record!.spans.map(toStoredSpan))).toMatchObject({ text, verdict: 'complete' })
  })

  const others = ['lynxe', 'trajectory', 'review-log'].flatMap((system) => {
    const directory = new URL(`../../fixtures/${system}/`, import.meta.url)
    return readdirSync(directory)
      .filter((name) => /(?<!\.example)\.jsonl?$/.test(name))
      .map((name) => new URL(name, directory))
  })
  test.each(others.map((file) => [file.pathname.split('/').slice(-2).join('/'), file] as const))(
    'is not confused with %s',
    (_, file) => {
      const [record] = encodeRecords(readFileSync(file))
      expect(record?.dialect).not.toMatch(/^plan-act/)
    },
  )

  test('is detected by its first event, whatever precedes it', () => {
    const text =
      'retry: 3000\r\n\r\n: ping\r\n\r\nid: 7\r\nevent: done\r\ndata: {"event_id":null,"timestamp":1}\r\n\r\n'
    const [session] = encodeRecords(new TextEncoder().encode(text))
    expect(session?.dialect).toBe('plan-act:sse')
    expect(decodeRecord(session!.spans.map(toStoredSpan))?.text).toBe(text)
  })

  test('is rejected if it was named wrongly', () => {
    const bytes = new TextEncoder().encode('{"code":404,"msg":"Session not found","data":null}')
    expect(() => [...encodeRecords(bytes, { format: 'plan-act:session' })]).toThrow(
      expect.objectContaining({ code: 'invalid_record', message: expect.stringContaining('no "data"') }),
    )
  })

  test.each([
    '{"type":"message","text":"no event of ManusX"}',
    '{"id":"1","data":{"type":"other"}}',
    '{"code":404,"msg":"Session not found","data":null}',
    'event: message\r\ndata: {"choices":[]}\r\n\r\n',
  ])('is not that of %j', (text) => {
    expect(() => [...encodeRecords(new TextEncoder().encode(text))]).toThrow('No known record format')
  })
})
