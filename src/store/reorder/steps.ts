import { readRows, type QueryTarget } from '../query.js'
import { fillSql, readSql } from '../sql-file.js'

/** A part of the spans that is copied at once: those that begin in some minutes. All steps together are all spans. */
export interface Step {
  /** The condition for `Timestamp`. */
  readonly where: string
  /** How many rows there were when the steps were made. */
  readonly rows: number
}

/** So many rows that a step takes seconds, and makes a large part. */
export const STEP_ROWS = 1_000_000

const MINUTES_A_DAY = 1440

export interface Minute {
  /** Minutes since the Unix epoch. */
  readonly minute: number
  readonly rows: number
}

/** Reads the steps of a table, the newest first. */
export async function readSteps(target: QueryTarget, from: string, stepRows: number): Promise<Step[]> {
  const query = fillSql(readSql('reorder/minutes.sql'), { database: target.database, from })
  const minutes = await readRows<{ minute: string; rows: number }>(target, query)
  return toSteps(
    minutes.map(({ minute, rows }) => ({ minute: Number(minute), rows })),
    stepRows,
  )
}

/**
 * Steps of minutes, the newest first: a step is of one day, and has no more minutes than it needs for its rows. Between
 * two steps nothing is left out, and the outer ones are open, so that spans that come meanwhile are in one, too.
 */
export function toSteps(minutes: readonly Minute[], stepRows: number): Step[] {
  const steps: Minute[] = []
  for (const next of minutes) {
    const step = steps.at(-1)
    if (step && dayOf(step) === dayOf(next) && step.rows + next.rows <= stepRows) {
      steps[steps.length - 1] = { minute: next.minute, rows: step.rows + next.rows }
    } else {
      steps.push(next)
    }
  }
  return steps.map(({ minute, rows }, at) => ({
    where: between(at === steps.length - 1 ? undefined : minute, steps[at - 1]?.minute),
    rows,
  }))
}

const dayOf = ({ minute }: Minute): number => Math.floor(minute / MINUTES_A_DAY)

function between(from: number | undefined, to: number | undefined): string {
  const conditions = [
    ...(from === undefined ? [] : [`Timestamp >= ${time(from)}`]),
    ...(to === undefined ? [] : [`Timestamp < ${time(to)}`]),
  ]
  return conditions.length === 0 ? 'true' : conditions.join(' AND ')
}

const time = (minute: number): string => `fromUnixTimestamp64Nano(${String(BigInt(minute) * 60_000_000_000n)})`
