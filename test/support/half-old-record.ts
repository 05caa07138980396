import { readFileSync } from 'node:fs'

/** A plan with an old and a recent part; days as `2026-03-04`, in UTC. */
export interface HalfOldRecord {
  readonly planId: string
  readonly text: string
  /** The day on which the plan and one agent started. */
  readonly old: string
  /** The day on which the other agent started. */
  readonly recent: string
}

const fixture = new URL('../fixtures/lynxe/details-waiting-input.json', import.meta.url)
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

/** The record of a plan that started six days ago, with an agent that started yesterday. */
export function halfOldRecord(): HalfOldRecord {
  const planId = 'plan-half-old'
  const [old, recent] = [dayOf(6), dayOf(1)]
  const at = (day: string) => `"startTime":[${day.split('-').map(Number).join()},10,26,2,500000000]`
  const text = readFileSync(fixture, 'utf8')
    .replaceAll('plan-1767061562002', planId)
    .replaceAll(/"startTime":\[[^\]]*\]/g, at(old))
  const last = text.lastIndexOf(at(old))
  return { planId, text: text.slice(0, last) + at(recent) + text.slice(last + at(old).length), old, recent }
}
