import { describe, expect, test } from 'vitest'
import { numberIdForm, textForm, type Form } from '../../../src/mapping/record-object/forms.js'
import { jsonNumber, jsonString, stringOf } from '../../../src/mapping/json/node.js'
import { parseJsonDocument } from '../../../src/mapping/json/parse.js'
import { compactJson } from '../../../src/mapping/json/write.js'
import {
  derived,
  list,
  llm,
  nested,
  optional,
  orNull,
  part,
  plan,
  sameAs,
  thinkAct,
  type Properties,
} from '../../../src/mapping/record-object/property.js'
import { recordObject, type Writing } from '../../../src/mapping/record-object/record-object.js'
import type { FieldValue } from '../../../src/semconv/index.js'

const PROPERTIES = {
  id: plan('recordId', 'id'),
  title: plan('title'),
  summary: orNull(plan('summary')),
  message: optional(plan('message')),
  steps: plan('steps'),
  totals: nested({
    seconds: plan('totalDurationSeconds'),
    minutes: derived(plan('totalDurationMinutes'), [plan('totalDurationSeconds')], (seconds) =>
      seconds === undefined ? undefined : seconds / 60,
    ),
  }),
  model: llm('model'),
  agents: list('agent'),
  call: part(),
}

const NULLS: Writing = { nulls: 'written', forms: { id: numberIdForm, time: textForm } }
const GAPS: Writing = { nulls: 'omitted', emptyLists: 'omitted', forms: { id: textForm, time: textForm } }

const parse = (text: string) => parseJsonDocument(text).root

describe('an object of a record', () => {
  const object = recordObject('plan', PROPERTIES, NULLS)

  test('is read as the values of its fields, by their homes, and its parts', () => {
    const { plan, llm, parts } = object.read(
      parse('{"id":7,"title":"t","totals":{"seconds":90.0,"minutes":2.0},"model":"m","agents":[],"x":1,"steps":[1]}'),
    )
    expect(plan).toEqual({ recordId: '7', title: 't', totalDurationSeconds: 90, totalDurationMinutes: 2 })
    expect(llm).toEqual({ model: 'm' })
    expect(parts.agents).toMatchObject({ kind: 'array' })
    expect(parts.call).toBeUndefined()
  })

  test('is read without derived values', () => {
    expect(object.read(parse('{"totals":{"minutes":1.5,"seconds":90.0}}')).plan).toEqual({ totalDurationSeconds: 90 })
  })

  test('is read with the first readable value of a repeated key', () => {
    expect(object.read(parse('{"title":null,"title":"a","title":"b"}')).plan).toEqual({ title: 'a' })
  })

  test.each([
    ['nothing', undefined],
    ['what is no object', parse('[]')],
  ])('is read from %s as an object without values', (_, node) => {
    const { plan, llm, parts } = object.read(node)
    expect([plan, llm, parts]).toEqual([{}, {}, {}])
  })

  test('is read without values of homes that its era has no key for', () => {
    const eras = [PROPERTIES, { ...PROPERTIES, model: part() }]
    for (const properties of eras) {
      expect(recordObject('plan', properties, NULLS).read(parse('{}')).llm).toEqual({})
    }
  })
})

describe('an era writes', () => {
  const values = { plan: { recordId: '7', steps: [], totalDurationSeconds: 90 }, parts: { call: jsonString('c') } }
  const written = (writing: Writing, from: typeof values | object) =>
    compactJson(recordObject('plan', PROPERTIES, writing).write(from))

  test('nulls for missing values, except optional ones', () => {
    expect(written(NULLS, values)).toBe(
      '{"id":7,"title":null,"summary":null,"steps":[],"totals":{"seconds":90.0,"minutes":1.5},"model":null,' +
        '"agents":null,"call":"c"}',
    )
    expect(written(NULLS, {})).toContain('"totals":{"seconds":null,"minutes":null}')
  })

  test('nothing for missing values, except those that are null then', () => {
    expect(written(GAPS, values)).toBe('{"id":"7","summary":null,"totals":{"seconds":90.0,"minutes":1.5},"call":"c"}')
    expect(written(GAPS, {})).toBe('{"summary":null}')
  })

  test('no object that contains only derived values', () => {
    const totals = {
      minutes: sameAs(plan('totalDurationMinutes'), plan('totalDurationSeconds')),
      note: orNull(plan('title')),
    }
    const object = recordObject('plan', { orNull: orNull(nested(totals)), left: nested(totals) }, GAPS)
    expect(compactJson(object.write({ plan: { totalDurationSeconds: 1 } }))).toBe('{"orNull":null}')
    expect(object.writeUnlessEmpty({ plan: { totalDurationSeconds: 1 } })).toBeUndefined()
    expect(compactJson(object.write({ plan: { title: 't' } }))).toBe('{"orNull":{"note":"t"},"left":{"note":"t"}}')
  })

  test('its own keys in its own order, and reads those of other eras', () => {
    const object = recordObject('plan', PROPERTIES, NULLS, ['title', 'id'])
    expect(object.keys).toEqual(['title', 'id'])
    expect(compactJson(object.write({ plan: { recordId: '7', summary: 's' } }))).toBe('{"title":null,"id":7}')
    expect(object.read(parse('{"summary":"s"}')).plan).toEqual({ summary: 's' })
  })

  test('no key that it lacks, at any depth', () => {
    const object = recordObject('plan', PROPERTIES, { ...GAPS, lacks: ['minutes', 'summary'] })
    expect(compactJson(object.write({ plan: { totalDurationSeconds: 1 } }))).toBe('{"totals":{"seconds":1.0}}')
  })
})

const upper: Form<string> = {
  read: (node) => stringOf(node)?.toUpperCase(),
  write: (value) => jsonString(value.toLowerCase()),
}
const count: Form<number> = { read: () => undefined, write: (value) => jsonNumber(String(value)) }

test('a field in the form of its type by default', () => {
  const written = (properties: Properties, value: FieldValue) =>
    compactJson(recordObject('plan', properties, NULLS).write({ plan: { title: value, progress: value } }))
  expect(written({ title: plan('title') }, 'T')).toBe('{"title":"T"}')
  expect(written({ title: plan('title', upper) }, 'T')).toBe('{"title":"t"}')
  expect(written({ progress: plan('progress') }, 50)).toBe('{"progress":50.0}')
})

/** Never called: the compiler rejects what the field tables do not contain. */
export function refused(): void {
  // @ts-expect-error: unknown field
  plan('titel')
  // @ts-expect-error: a field of another role
  plan('callId')
  // @ts-expect-error: text cannot use a format for numbers
  plan('title', count)
  // @ts-expect-error: a number is neither an id nor a time
  thinkAct('index', 'id')
  // @ts-expect-error: unknown home
  list('plans')
  // @ts-expect-error: the steps are not a number
  derived(plan('steps'), [], () => 1)
  // @ts-expect-error: text cannot be derived from a number
  sameAs(plan('title'), plan('currentStepIndex'))
  // @ts-expect-error: the steps are not text
  derived(plan('title'), [plan('steps')], (steps) => steps)
  // @ts-expect-error: an era with a key that the object does not have
  recordObject('plan', PROPERTIES, NULLS, ['titel'])
  const object = recordObject('plan', PROPERTIES, NULLS)
  // @ts-expect-error: unknown part
  object.write({ parts: { agent: jsonString('') } })
  // @ts-expect-error: no field of the object belongs to a tool's span
  void object.read(undefined).tool
}
