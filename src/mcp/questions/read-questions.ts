/** A literal of a question's query that the caller can replace. */
export interface QuestionParameter {
  readonly name: string
  readonly type: 'DateTime' | 'UInt64' | 'String'
  readonly meaning: string
  readonly value: string
  /** For a time: its age relative to the newest sample plan, milliseconds. */
  readonly before?: number
}

/** An example question of docs/sql.md and the query that answers it. */
export interface Question {
  readonly title: string
  readonly note: string
  readonly sql: string
  readonly parameters: readonly QuestionParameter[]
}

const UNTIL = /--until (\S+)`/
const SECTION = /^## Questions\n([^]*?)^## /m
const QUESTION = /^### (.+)\n([^]*?)^```sql\n([^]*?)^```\n/gm

/** Parses the questions of docs/sql.md. Literals that are specific to its sample plans become parameters. */
export function readQuestions(page: string): Question[] {
  const until = Date.parse(UNTIL.exec(page)?.[1] ?? '')
  const [, section = ''] = SECTION.exec(page) ?? []
  return [...section.matchAll(QUESTION)].map(([, title = '', note = '', sql = '']) => ({
    title,
    note: note.trim().replaceAll(/\s+/g, ' '),
    ...withParameters(sql.trim(), until),
  }))
}

/** A rule that turns a literal into a parameter. The column before the literal determines the name and meaning. */
interface Literal {
  readonly pattern: RegExp
  readonly type: QuestionParameter['type']
  readonly name: (column: string) => string
  readonly meaning: (column: string) => string
}

const LITERALS: readonly Literal[] = [
  {
    pattern: /()(?:toDateTime\()?'(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)'\)?/g,
    type: 'DateTime',
    name: () => 'now',
    meaning: () => 'The time at which open waits are measured.',
  },
  {
    pattern: /(\w+) >= '(\d{4}-\d\d-\d\d)'/g,
    type: 'DateTime',
    name: () => 'since',
    meaning: (column) => `The earliest ${column}.`,
  },
  {
    pattern: /\b(Workflow) = '([^']*[^'\s][^']*)'/g,
    type: 'String',
    name: () => 'workflow',
    meaning: () => 'The workflow.',
  },
  {
    pattern: /(?<=\b(?:WHERE|HAVING|AND) )(\w+) >=? ([1-9]\d*)/g,
    type: 'UInt64',
    name: (column) => `least${column}`,
    meaning: (column) => `The lower bound of ${column}.`,
  },
  {
    pattern: /()(?<=\bLIMIT )(\d+)/g,
    type: 'UInt64',
    name: () => 'limit',
    meaning: () => 'The maximum number of rows.',
  },
]

function withParameters(text: string, until: number): Pick<Question, 'sql' | 'parameters'> {
  const parameters = new Map<string, QuestionParameter>()
  let sql = text
  for (const { pattern, type, name: nameOf, meaning } of LITERALS) {
    sql = sql.replaceAll(pattern, (literal: string, column: string, value: string) => {
      const name = nameOf(column)
      const before =
        type === 'DateTime'
          ? { before: until - Date.parse(`${value.replace(' ', 'T')}${value.includes(' ') ? '' : 'T00:00:00'}Z`) }
          : {}
      parameters.set(name, { name, type, meaning: meaning(column), value, ...before })
      return literal.replace(value, '\u0000').replace(/'\u0000'|\u0000/, `{${name}:${type}}`)
    })
  }
  return { sql, parameters: [...parameters.values()] }
}
