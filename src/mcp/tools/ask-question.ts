import { readFileSync } from 'node:fs'
import { z } from 'zod'

import { type Question, type QuestionParameter, readQuestions } from '../questions/read-questions.js'
import { askSql, MAX_ROWS, SQL_ANSWER } from '../sql-answer.js'
import { defineTool } from '../define-tool.js'

const PAGE = new URL('../../../docs/sql.md', import.meta.url)

let known: readonly Question[] | undefined
const questions = (): readonly Question[] => (known ??= readQuestions(readFileSync(PAGE, 'utf8')))

const parameterSchema = z.object({
  name: z.string(),
  type: z.string(),
  meaning: z.string(),
  value: z.string().describe('What it is unless you give another.'),
})

/** Runs the example queries of docs/sql.md. */
export const askQuestion = defineTool({
  name: 'ask_question',
  title: 'Ask an example question',
  description:
    'Questions over all plans that have a query ready: who waits and since when, why plans fail, which tools fail or are slow, ' +
    'the riskiest actions that were taken nonetheless, tokens and cost by agent, workflow and day, budgets, reviews, where ' +
    'the time goes. Without arguments it lists them with their numbers and parameters; with question=number it answers one, ' +
    'and tells its SQL, which query_sql takes in a form of yours. Refused where query_sql is.',
  input: z.object({
    question: z.number().int().min(1).optional().describe('Its number in the list.'),
    parameters: z
      .record(z.string(), z.string())
      .optional()
      .describe('Other values of its parameters, as text; times in UTC as 2026-03-04 12:00:00.'),
  }),
  output: z.object({
    questions: z
      .array(z.object({ number: z.number().int(), question: z.string(), parameters: z.array(parameterSchema) }))
      .optional()
      .describe('The list.'),
    question: z.string().optional(),
    note: z.string().optional(),
    sql: z.string().optional(),
    parameters: z.array(parameterSchema).optional().describe('With the values that it was asked with.'),
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
    const asked = questions()[number - 1]
    if (!asked) throw new Error(`There are questions 1 to ${String(questions().length)}.`)
    const unknown = Object.keys(given).find((name) => !asked.parameters.some((one) => one.name === name))
    if (unknown !== undefined) {
      const names = asked.parameters.map(({ name }) => name).join(', ') || 'none'
      throw new Error(`This question has no parameter ${JSON.stringify(unknown)}. Its parameters: ${names}.`)
    }
    const parameters = asked.parameters.map((one) => withValue(one, now, given[one.name]))
    const { title, note, sql } = asked
    const told = { question: title, ...(note === '' ? {} : { note }), sql, parameters }
    work.room.take(told)
    const values = Object.fromEntries(parameters.map(({ name, value }) => [name, value]))
    return { ...told, answer: await askSql({ sql, parameters: values }, work, MAX_ROWS) }
  },
})

const withValue = ({ name, type, meaning, value, before }: QuestionParameter, now: number, given?: string) => ({
  name,
  type,
  meaning,
  value: given ?? (before === undefined ? value : textOf(now - before)),
})

/** A time as ClickHouse reads it. */
const textOf = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ')
