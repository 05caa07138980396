// The columns of docs/sql.md: tables and views in, text out. Each fact stands once: columns of many views in one table,
// and the meaning of an attribute in docs/semantic-conventions.md.

/**
 * @typedef {object} Column
 * @property {string} name
 * @property {string} type
 * @property {string} comment Its meaning, and in brackets at the end the attribute that it shows.
 *
 * @typedef {object} Table
 * @property {string} name
 * @property {string} comment
 * @property {readonly Column[]} columns
 */

/** Columns that this many views share are listed once. */
const SHARED_BY = 6
/** Views that have the columns of another view. */
const EXTENDED = new Map([['research_calls', 'tool_calls']])

/** @param {Column} column */
const identity = ({ name, type, comment }) => [name, type, comment].join('\n')

/**
 * Renders the columns of the views, and of other tables after them.
 * @param {readonly Table[]} views
 * @param {readonly Table[]} others
 * @param {string} conventions The text of docs/semantic-conventions.md.
 * @returns {string}
 */
export function columnsSection(views, others, conventions) {
  const explained = new Set(
    [...conventions.matchAll(/^\| `([^`]+)` \|.*\| ([^|]+) \|$/gm)].map(([, key, brief]) => `${key} ${brief}`),
  )
  /** @param {Column} column */
  const meaning = ({ comment }) => {
    const [, brief = '', key = ''] = /^(.*) \[([\w.]+)\]$/.exec(comment) ?? []
    return explained.has(`${key} ${brief}`) ? `\`${key}\`` : comment.replaceAll('|', '\\|')
  }
  /** @type {Map<string, { column: Column, of: string[] }>} */
  const uses = new Map()
  for (const { name, columns } of views) {
    for (const column of columns) {
      const use = uses.get(identity(column)) ?? { column, of: [] }
      uses.set(identity(column), use)
      use.of.push(name)
    }
  }
  const shared = [...uses.values()].filter(({ of }) => of.length >= SHARED_BY)
  const isShared = new Set(shared.map(({ column }) => identity(column)))
  const names = views.map(({ name }) => name)
  /** @param {readonly string[]} of */
  const inViews = (of) => {
    const without = names.filter((name) => !of.includes(name))
    if (without.length === 0) return 'all'
    return without.length <= of.length ? `all except ${without.join(', ')}` : of.join(', ')
  }
  /** @param {readonly Column[]} columns */
  const table = (columns) =>
    ['| column | type | meaning |', '| --- | --- | --- |']
      .concat(columns.map((column) => `| ${column.name} | ${column.type} | ${meaning(column)} |`))
      .join('\n')
  return [
    '### Columns of many views',
    [
      '| column | type | meaning | views |',
      '| --- | --- | --- | --- |',
      ...shared.map(({ column, of }) => `| ${column.name} | ${column.type} | ${meaning(column)} | ${inViews(of)} |`),
    ].join('\n'),
    ...views.map(({ name, comment, columns }) => {
      const base = views.find((view) => view.name === EXTENDED.get(name))
      const known = new Set([...isShared, ...(base?.columns.map(identity) ?? [])])
      const own = columns.filter((column) => !known.has(identity(column)))
      const missing = base?.columns.filter((column) => !columns.some(({ name: other }) => other === column.name)) ?? []
      const except = missing.length > 0 ? ` except ${missing.map(({ name: other }) => other).join(', ')}` : ''
      const extends_ = base ? ` It has the columns of ${base.name}${except}, and:` : ''
      return `### ${name}\n\n${comment}${extends_}\n\n${table(own)}`
    }),
    ...others.map(({ name, comment, columns }) => `### ${name}\n\n${comment}\n\n${table(columns)}`),
  ].join('\n\n')
}
