import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { readQuestions } from '../../src/mcp/questions/read-questions.js'

const PAGE = readFileSync(new URL('../../docs/sql.md', import.meta.url), 'utf8')
const DAY_MS = 86_400_000

test('each question of docs/sql.md is read', () => {
  const [, section = ''] = /^## Questions\n([^]*?)^## /m.exec(PAGE) ?? []
  const titles = [...section.matchAll(/^### (.*)$/gm)].map(([, title]) => title)
  expect(readQuestions(PAGE).map(({ title }) => title)).toEqual(titles)
})

test('a query’s literals are returned as its parameters’ values', () => {
  for (const { sql, parameters } of readQuestions(PAGE)) {
    const filled = parameters.reduce(
      (text, { name, type, value }) => text.replaceAll(`{${name}:${type}}`, type === 'UInt64' ? value : `'${value}'`),
      sql,
    )
    expect(PAGE).toContain(filled)
    expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length)
  }
})

test('times, workflows, bounds and row limits are parameters; the subject of a question is not', () => {
  const page = `\`planspan generate --until 2026-03-14T12:00:00Z\`
## Questions
### What now?
A note,
of two lines.
\`\`\`sql
SELECT x, countIf(State = 'failed') FROM plans
WHERE Workflow = 'trip' AND Calls >= 20 AND Timestamp >= '2026-03-13' AND State != '' AND Failed > 0
LIMIT 5
\`\`\`
### And until now?
\`\`\`sql
SELECT dateDiff('minute', Timestamp, toDateTime('2026-03-14 12:00:00')) FROM waits
\`\`\`
## Columns
`
  const [first, second] = readQuestions(page)
  expect(first).toMatchObject({ title: 'What now?', note: 'A note, of two lines.' })
  expect(first?.sql).toBe(
    "SELECT x, countIf(State = 'failed') FROM plans\n" +
      "WHERE Workflow = {workflow:String} AND Calls >= {leastCalls:UInt64} AND Timestamp >= {since:DateTime} AND State != '' AND Failed > 0\n" +
      'LIMIT {limit:UInt64}',
  )
  expect(first?.parameters.map(({ name, value, before }) => [name, value, before])).toEqual([
    ['since', '2026-03-13', 1.5 * DAY_MS],
    ['workflow', 'trip', undefined],
    ['leastCalls', '20', undefined],
    ['limit', '5', undefined],
  ])
  expect(second?.parameters).toMatchObject([{ name: 'now', before: 0 }])
})
