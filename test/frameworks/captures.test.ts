import { expect, it } from 'vitest'

import { RESULTS } from './results.js'

/** The places where OpenTelemetry's own instrumentations write messages, as variants. */
const CAPTURES = ['span_only', 'event_only', 'span_and_event'] as const

const official = Object.entries(RESULTS).filter(([, { variants }]) => CAPTURES.some((capture) => capture in variants))

it.each(official)('%s: the record is the same wherever messages are written', (_, { variants }) => {
  const wrong = CAPTURES.map((capture) =>
    Object.entries(variants[capture]?.stories ?? {}).map(([story, result]) => [story, result.wrong ?? []]),
  )
  expect(wrong).toEqual([wrong[0], wrong[0], wrong[0]])
  expect(wrong[0]).not.toEqual([])
})
