// Writes what the records of each framework hold into docs/frameworks.md, from test/frameworks/results.json.

/**
 * @typedef {{ notSent?: readonly string[], wrong?: readonly string[] }} Result
 * @typedef {{ title: string, stories: Record<string, Result> }} Variant
 * @typedef {{ title: string, language: string, variants: Record<string, Variant> }} Framework
 */

/** The columns of the table. A column stands for all of its fields. */
const COLUMNS = Object.entries({
  request: ['request'],
  answer: ['answer', 'agent answers'],
  state: ['state'],
  agents: ['agents'],
  'model calls': ['model calls', 'model texts'],
  tokens: ['tokens'],
  cached: ['cached tokens'],
  tools: ['tool calls'],
  ids: ['call ids'],
  arguments: ['arguments'],
  results: ['results'],
  errors: ['errors'],
  waits: ['waits'],
  conversation: ['conversation'],
})

/** The stories without which a column says nothing. */
const NEEDED = new Map([
  ['waits', ['approval', 'waiting', 'review']],
  ['conversation', ['conversation']],
])

/**
 * Returns the table of frameworks and fields, and the list of what each instrumentation does not send, in Markdown.
 *
 * @param {Record<string, Framework>} results
 */
export function frameworkResults(results) {
  const runs = Object.values(results).flatMap(({ title, variants }) =>
    Object.values(variants).map((variant) => ({ name: `${title}: ${variant.title}`, stories: variant.stories })),
  )
  return [
    row(['', ...COLUMNS.map(([column]) => column)]),
    row(['---', ...COLUMNS.map(() => '---')]),
    ...runs.map(({ name, stories }) =>
      row([name, ...COLUMNS.map(([column, fields]) => cell(column, fields, stories))]),
    ),
    '',
    ...runs.map(({ name, stories }) => `- **${name}.** ${sentences(stories).join(' ')}`),
  ].join('\n')
}

/**
 * @param {string} column
 * @param {readonly string[]} fields
 * @param {Variant['stories']} stories
 */
function cell(column, fields, stories) {
  const needed = NEEDED.get(column)
  const played = Object.entries(stories).flatMap(([story, result]) =>
    (needed?.includes(story) ?? true) ? [result] : [],
  )
  const has = (/** @type {readonly string[] | undefined} */ list) => fields.some((field) => list?.includes(field))
  if (played.length === 0) return ''
  if (played.some(({ wrong }) => has(wrong))) return 'wrong'
  const lacking = played.filter(({ notSent }) => has(notSent)).length
  return lacking === 0 ? 'yes' : lacking === played.length ? '–' : 'some'
}

/** @param {Variant['stories']} stories */
function sentences(stories) {
  const names = Object.keys(stories)
  return [
    `Stories: ${names.join(', ')}.`,
    ...fieldsOf('Not sent', stories, ({ notSent }) => notSent),
    ...fieldsOf('Wrong', stories, ({ wrong }) => wrong),
  ]
}

/**
 * @param {string} title
 * @param {Variant['stories']} stories
 * @param {(result: Result) => readonly string[] | undefined} read
 */
function fieldsOf(title, stories, read) {
  /** @type {Map<string, string[]>} */
  const storiesOf = new Map()
  for (const [story, result] of Object.entries(stories)) {
    for (const field of read(result) ?? []) storiesOf.set(field, [...(storiesOf.get(field) ?? []), story])
  }
  /** @type {Map<string, string[]>} */
  const fieldsIn = new Map()
  for (const [field, list] of storiesOf) {
    const where = list.length === Object.keys(stories).length ? 'all stories' : list.join(', ')
    fieldsIn.set(where, [...(fieldsIn.get(where) ?? []), field])
  }
  const parts = [...fieldsIn].map(([where, fields]) => `${fields.join(', ')} (${where})`)
  return parts.length === 0 ? [] : [`${title}: ${parts.join('; ')}.`]
}

/** @param {readonly string[]} cells */
const row = (cells) => `| ${cells.join(' | ')} |`
