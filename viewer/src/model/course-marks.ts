import type { StepsJson } from 'planspan/client'

import type { Tree } from './tree.js'

export type PlanSteps = StepsJson['plans'][number]
export type Step = PlanSteps['steps'][number]
export type Version = PlanSteps['versions'][number]
export type Review = PlanSteps['reviews'][number]
export type Wait = PlanSteps['waits'][number]

/** A mark between the steps of a plan. */
export type Mark =
  | { readonly kind: 'version'; readonly number: number; readonly version: Version }
  | { readonly kind: 'review'; readonly review: Review }
  | { readonly kind: 'wait'; readonly wait: Wait; readonly review: Review | undefined }

type Timed = { readonly mark: Mark; readonly time: number }

/** Returns the marks of a plan before each step, in time order; the last entry follows all steps. */
export function marksOf({ steps, versions, reviews, waits }: PlanSteps, { nodes }: Tree): Mark[][] {
  const timeOf = (spanId: string): number => nodes.get(spanId)?.row.start ?? Number.NEGATIVE_INFINITY
  const times = versions.map(({ time }) => Date.parse(time))
  const marks: Timed[] = [
    ...versions.map((version, index): Timed => ({
      mark: { kind: 'version', number: version.revision ?? index + 1, version },
      time: times[index] ?? 0,
    })),
    ...waits.map((wait): Timed => ({
      mark: { kind: 'wait', wait, review: reviews.find((review) => review.wait === wait.spanId) },
      time: timeOf(wait.spanId),
    })),
    ...reviews
      .filter(({ wait }) => wait === null)
      .map((review, index): Timed => ({
        mark: { kind: 'review', review },
        time: review.time === null ? timeOfAttempt(review.attempt ?? index + 1, times) : Date.parse(review.time),
      })),
  ]
  const begun = steps.map(({ agents: [agent], calls: [call] }) => {
    const first = agent ?? call
    return first === undefined ? Number.POSITIVE_INFINITY : timeOf(first)
  })
  const places: Mark[][] = Array.from({ length: steps.length + 1 }, () => [])
  for (const { mark, time } of marks.toSorted((a, b) => a.time - b.time)) {
    places[begun.findLastIndex((begin) => begin < time) + 1]?.push(mark)
  }
  return places
}

/** A review without a time follows the version that it reviewed. */
const timeOfAttempt = (attempt: number, versions: readonly number[]): number =>
  versions[Math.min(attempt, versions.length) - 1] ?? Number.NEGATIVE_INFINITY
