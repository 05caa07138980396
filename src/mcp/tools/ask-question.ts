import { readFileSync } from 'node:fs'
import { z } from 'zod'

import { type Question, type QuestionParameter, readQuestions } from '../questions/read-questions.js'
import { askSql, MAX_ROWS, SQL_ANSWER } from './query-sql.js'
import { defineTool } from '../define-tool.js'

const PAGE = new URL('../../../docs/sql.md', import.meta.url)

let known: readonly Question[] | undefined
const questions = (): readonly Question[] => (known ??= readQuestions(readFileSync(PAGE, 'utf8')))

const parameterSchema = z.object({
  name: z.string(),
  type: z.string(),
  meaning: z.string(),
  value: z.string().describe('The default value, or the value that was used.'),
})

/** Runs the example queries of docs/sql.md. */
export const askQuestion = defineTool({
  name: 'ask_question',
  title: 'Answer an example question',
  description:
    'Answers predefined questions about all plans: which plans wait for people and since when, why plans fail, which tools ' +
    'fail or are slow, which risky actions ran nonetheless, tokens and cost by agent, workflow and day, budgets, reviews, and ' +
    'where plans spend their time. Without arguments, lists the questions with their numbers and parameters. With ' +
    'question=NUMBER, runs the query and returns its rows and its SQL, which you can adapt and run with query_sql. Rejected ' +
    'where query_sql is rejected.',
  input: z.object({
    question: z.number().int().min(1).optional().describe('The number of the question in the list.'),
    parameters: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'Values that replace the defaults of the parameters, as text. Times are in UTC, such as 2026-03-04 12:00:00.',
      ),
  }),
  output: z.object({
    questions: z
      .array(z.object({ number: z.number().int(), question: z.string(), parameters: z.array(parameterSchema) }))
      .optional()
      .describe('The list of questions.'),
    question: z.string().optional(),
    note: z.string().optional(),
    sql: z.string().optional(),
    parameters: z.array(parameterSchema).optional().describe('The parameters with the values that were used.'),
    answer: z.object(SQL_ANSWER).optional(),
  }),
  async run({ question: number, parameters: given = {} }, work) {
    const now = Date.now()
    if (number === undefined) {
      const all = questions().map(({ title, parameters }, at) => ({
        number: at + 1,
        question: title,
        parameters: parameters.map((one) => withValue(one, now)),
      }))
      return { questions: work.room.fill(all) }
    }
    const selected = questions()[number - 1]
    if (!selected) throw new Error(`Unknown question. Questions are numbered from 1 to ${String(questions().length)}.`)
    const unknown = Object.keys(given).find((name) => !selected.parameters.some((one) => one.name === name))
    if (unknown !== undefined) {
      const names = selected.parameters.map(({ name }) => name).join(', ') || 'none'
      throw new Error(`The question has no parameter ${JSON.stringify(unknown)}. Its parameters: ${names}.`)
    }
    const parameters = selected.parameters.map((one) => withValue(one, now, given[one.name]))
    const { title, note, sql } = selected
    const head = { question: title, ...(note === '' ? {} : { note }), sql, parameters }
    work.room.take(head)
    const values = Object.fromEntries(parameters.map(({ name, value }) => [name, value]))
    return { ...head, answer: await askSql({ sql, parameters: values }, work, MAX_ROWS) }
  },
})

const withValue = ({ name, type, meaning, value, before }: QuestionParameter, now: number, given?: string) => ({
  name,
  type,
  meaning,
  value: given ?? (before === undefined ? value : clickhouseTime(now - before)),
})

/** Formats a time for ClickHouse. */
const clickhouseTime = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ')
