import { expect, test } from 'vitest'
import { columnsSection } from '../../scripts/sql-columns.mjs'

const TRACE = { name: 'TraceId', type: 'String', comment: 'The trace.' }
const TITLE = { name: 'Title', type: 'String', comment: 'The title of the plan. [planspan.plan.title]' }
const OTHER_TITLE = { ...TITLE, comment: 'The title of the form. [planspan.plan.title]' }
const NAMES = ['plans', 'steps', 'agents', 'waits', 'reviews', 'tool_calls', 'research_calls']
const views = NAMES.map((name) => ({
  name,
  comment: `A row of ${name}.`,
  columns: [TRACE, ...(name === 'plans' ? [TITLE] : []), ...(name === 'waits' ? [OTHER_TITLE] : [])],
}))
const conventions = '| `planspan.plan.title` | string | yes | The title of the plan. |\n'
const text = columnsSection(views, [{ name: 'otel_traces', comment: 'Spans.', columns: [TITLE] }], conventions)

test('a column of many views is listed once', () => {
  expect(text.match(/^\| TraceId /gm)).toHaveLength(1)
  expect(text).toContain('| TraceId | String | The trace. | all |')
})

test('an attribute is named, and explained only if its meaning differs from the conventions', () => {
  expect(text).toContain('### plans\n\nA row of plans.\n\n| column | type | meaning |\n| --- | --- | --- |\n')
  expect(text).toContain('| Title | String | `planspan.plan.title` |')
  expect(text).toContain('| Title | String | The title of the form. [planspan.plan.title] |')
})

test('a view that extends another names it', () => {
  expect(text).toContain('### research_calls\n\nA row of research_calls. It has the columns of tool_calls, and:')
})
