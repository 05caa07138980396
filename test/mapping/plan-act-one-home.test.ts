import { describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan } from '../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../src/semconv/index.js'
import { SERIALISATIONS } from '../support/plan-act-records.js'
import { fullSession } from '../support/plan-act-run.js'

/** The keys of a record that an attribute is the home of, the same datum in all its repetitions. */
const HOME_OF: Readonly<Record<string, readonly string[]>> = {
  [ATTR.planTitle]: ['title'],
  [ATTR.sessionTitle]: ['title'],
  [ATTR.planGoal]: ['goal'],
  [ATTR.planLanguage]: ['language'],
  [ATTR.planMessage]: ['message'],
  [ATTR.recordId]: ['id'],
  [ATTR.inputMessages]: ['message', 'content'],
  [ATTR.planSummary]: ['message', 'content'],
  [ATTR.messageContentIn]: ['message', 'content'],
  [ATTR.messageContent]: ['message', 'content'],
  [ATTR.messageRole]: ['role'],
  [ATTR.messageAttachments]: ['attachments'],
  [ATTR.planSteps]: ['description', 'steps'],
  [ATTR.planStepsJson]: ['id', 'status', 'result', 'error', 'success', 'attachments'],
  [ATTR.outputMessages]: ['result'],
  [ATTR.errorMessage]: ['error'],
  [ATTR.exceptionMessage]: ['error'],
  [ATTR.status]: ['status'],
  [ATTR.stepId]: ['id'],
  [ATTR.stepDescription]: ['description'],
  [ATTR.stepSuccess]: ['success'],
  [ATTR.stepAttachments]: ['attachments'],
  [ATTR.toolCallId]: ['tool_call_id'],
  [ATTR.toolName]: ['function_name', 'function'],
  [ATTR.toolGroup]: ['tool_name', 'name'],
  [ATTR.toolCallArguments]: ['function_args', 'args'],
  [ATTR.toolCallResult]: ['function_result'],
  [ATTR.toolContent]: ['tool_content', 'content'],
  [ATTR.eventId]: ['id', 'event_id'],
  [ATTR.eventStreamId]: ['id'],
  [ATTR.eventTimestamp]: ['timestamp'],
  [ATTR.eventData]: ['skill_name', 'status'],
  [ATTR.sessionStatus]: ['status'],
  [ATTR.sessionShared]: ['is_shared'],
}

/** Attributes that place a span or event; without them it is another tree. */
const STRUCTURAL = new Set<string>([ATTR.spanKind, ATTR.recordDialect, ATTR.recordEra, ATTR.seq, ATTR.eventType])

/** What the error says, for those who look at the plan span alone. */
const isCopy = (row: StoredSpan, key: string): boolean => row.parentSpanId === '' && key === ATTR.errorMessage

const documentOf = (text: string): unknown =>
  text.startsWith('event:')
    ? [...text.matchAll(/(data)?: (.*)\r\n/g)].map(([, data, value]) =>
        data ? (JSON.parse(value!) as unknown) : { content: value },
      )
    : text.trimEnd().includes('\n')
      ? text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown)
      : (JSON.parse(text) as unknown)

/** The keys whose values differ. */
function differences(a: unknown, b: unknown, key = ''): string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return []
  const bothObjects = [a, b].every((value) => typeof value === 'object' && value !== null)
  if (!bothObjects || Array.isArray(a) !== Array.isArray(b) || WHOLE.has(key)) return [key]
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].flatMap((name) => differences(left[name], right[name], Array.isArray(a) ? key : name))
}

/** Keys whose values are one datum. */
const WHOLE = new Set(['attachments', 'tool_content', 'function_args', 'function_result', 'args', 'content', 'result'])

const without = (attributes: Readonly<Record<string, string>>, key: string): Record<string, string> => {
  const { [key]: _, ...rest } = attributes
  return rest
}

describe.each([
  ['the Redis stream', SERIALISATIONS.redis(fullSession)],
  ['server-sent events', SERIALISATIONS.sse(fullSession)],
  ['a session document of ai-manus', SERIALISATIONS.session(fullSession, true)],
  ['WebSocket frames', SERIALISATIONS.websocket(fullSession)],
])('in %s', (_, text) => {
  const [encoded] = encodeRecords(new TextEncoder().encode(text))
  const rows = encoded!.spans.map(toStoredSpan)
  const before = documentOf(text)
  const planIdKeys = encoded!.era === 'redis' ? ['id'] : []

  /** What is wrong without an attribute: its field is there still, or another is not. */
  const wrong = (damaged: readonly StoredSpan[], key: string, at: string, bound: readonly string[]): string[] => {
    const { text: rebuilt, verdict } = decodeRecord(damaged)!
    const changed = differences(before, documentOf(rebuilt))
    const others = changed.filter((name) => !bound.includes(name)).map((name) => `${key} of ${at} changes ${name}`)
    const isHome = changed.length > 0 && verdict === 'altered'
    return bound.length > 0 && !isHome ? [...others, `${key} of ${at} changes nothing`] : others
  }

  test('nothing is left to the residual', () => {
    expect(rows.filter((row) => ATTR.residual in row.attributes)).toEqual([])
    expect(decodeRecord(rows)?.text).toBe(text)
  })

  test('taking out any attribute of a span changes its field and nothing else', () => {
    const found: string[] = []
    for (const [index, row] of rows.entries()) {
      for (const key of Object.keys(row.attributes)) {
        if (STRUCTURAL.has(key) || isCopy(row, key)) continue
        const bound =
          row.parentSpanId === '' && key === ATTR.planId
            ? planIdKeys
            : row.parentSpanId === '' && key === ATTR.conversationId
              ? ['session_id']
              : (HOME_OF[key] ?? [])
        const damaged = rows.map((other, at) =>
          at === index ? { ...row, attributes: without(row.attributes, key) } : other,
        )
        found.push(...wrong(damaged, key, row.name, bound))
      }
    }
    expect(found).toEqual([])
  })

  test('taking out any attribute of a span event changes its field and nothing else', () => {
    const found: string[] = []
    for (const [index, row] of rows.entries()) {
      for (const [place, event] of row.events.entries()) {
        for (const key of Object.keys(event.attributes)) {
          if (STRUCTURAL.has(key)) continue
          const events = row.events.map((other, at) =>
            at === place ? { ...event, attributes: without(event.attributes, key) } : other,
          )
          const damaged = rows.map((other, at) => (at === index ? { ...row, events } : other))
          found.push(...wrong(damaged, key, event.name, HOME_OF[key] ?? []))
        }
      }
    }
    expect(found).toEqual([])
  })
})
