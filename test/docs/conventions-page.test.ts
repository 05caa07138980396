import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { conventionsPage, leavesOf } from '../../scripts/conventions-page.mjs'
import { DIALECTS } from '../../src/mapping/dialects/index.js'
import { HOMES } from '../../src/mapping/record-object/homes.js'
import { agent, list, nested, part, plan, sameAs } from '../../src/mapping/record-object/property.js'
import { recordObject } from '../../src/mapping/record-object/record-object.js'
import { int } from '../../src/semconv/field.js'
import { planFields } from '../../src/semconv/index.js'

const WRITING = { nulls: 'written' } as const
const NEWER = {
  name: plan('title'),
  about: nested({ summary: sameAs(plan('summary'), plan('title')) }),
  agents: list('agent'),
  state: part(plan('status')),
  version: part(),
}
const OLDER = { ...NEWER, state: plan('status') }

const page = conventionsPage({
  version: 7,
  schemaUrl: 'https://example.test/7',
  guide: '## Advice\n\nBe brief.\n',
  words: { Moods: ['glad', 'sad'] },
  everySpan: { title: planFields.title },
  required: [planFields.title.key],
  roles: { plan: { operation: 'run', note: 'A run.', fields: { title: planFields.title } } },
  others: { Bookkeeping: { count: int('a.b', 'How many | which.') } },
  homes: HOMES,
  vocabularies: [
    {
      title: 'minutes',
      note: 'Minutes of a meeting.',
      eras: {
        old: { objects: { minutes: recordObject('plan', OLDER, WRITING, ['name', 'state']) }, style: {} },
        new: { objects: { minutes: recordObject('plan', NEWER, WRITING) }, style: {} },
      },
    },
    {
      title: 'one era',
      note: 'Of one kind.',
      eras: { '': { objects: { speaker: recordObject('agent', { who: agent('name') }, WRITING) }, style: {} } },
      objects: { speaker: 'Who speaks.' },
    },
  ],
})

test('the page lists the required attributes and contains the guide', () => {
  expect(page).toContain('\n## Advice\n\nBe brief.\n\n## Every span\n\nRequired: `planspan.plan.title`. All other')
})

test('the page has the field tables', () => {
  expect(page).toContain('Mapping version 7.')
  expect(page).toContain('Moods: `glad`, `sad`.')
  expect(page).toContain('### plan: `run`\n\nA run.\n')
  expect(page).toContain('| `planspan.plan.title` | string | yes | The title of the plan. |')
  expect(page).toContain('| `a.b` | int |  | How many \\| which. |')
})

test('the page maps record keys to attributes, with their eras', () => {
  const [, section = ''] = /## minutes: record keys and attributes\n([^]*?)\n## /.exec(page) ?? []
  expect(section.trim().split('\n')).toEqual([
    'Minutes of a meeting.',
    '',
    '### minutes',
    '',
    '| record key | span | attribute | eras |',
    '| --- | --- | --- | --- |',
    '| `name` | plan | `planspan.plan.title` | old, new |',
    '| `about.summary` | plan | `planspan.plan.summary`, else from `planspan.plan.title` of plan | new |',
    '| `agents` | agent | one object each | new |',
    '| `state` | plan | `planspan.status` | old |',
    '| `state` | plan | derived from `planspan.status` | new |',
    '| `version` |  | – | new |',
  ])
})

test('the page omits the eras of a system with a single era', () => {
  expect(page).toContain('### speaker\n\nWho speaks.\n\n| record key | span | attribute |\n')
  expect(page).toContain('| `who` | agent | `gen_ai.agent.name` |\n')
})

const text = readFileSync(new URL('../../docs/semantic-conventions.md', import.meta.url), 'utf8')

test('the prose of docs/semantic-conventions.md names existing attributes and values', () => {
  const [prose = ''] = text.split('\n## Every span\n')
  expect(prose).toContain('## Writing spans in any language')
  expect(prose).not.toContain('undefined')
})

test('docs/semantic-conventions.md has every key of every era of every dialect', () => {
  const missing = Object.values(DIALECTS).flatMap(({ name, eras }) =>
    Object.values(eras).flatMap(({ objects }) =>
      Object.entries(objects).flatMap(([kind, { properties, keys }]) => {
        const paths = leavesOf(properties, keys).map(([path]) => path)
        return paths.filter((path) => !text.includes(`\n| \`${path}\` |`)).map((path) => `${name} ${kind} ${path}`)
      }),
    ),
  )
  expect(missing).toEqual([])
})
