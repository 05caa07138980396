import type { PlanJson } from 'planspan/client'

/** The rows of a list, and those that came since and are not shown yet. */
export interface PlanRows {
  readonly shown: readonly PlanJson[]
  readonly waiting: readonly PlanJson[]
}

export const keyOf = ({ traceId, planId }: Pick<PlanJson, 'traceId' | 'planId'>): string => `${traceId} ${planId}`

/** Brings rows up to date in their places; what is new waits in front, so that nothing moves under a reader's eyes. */
export function withChanges({ shown, waiting }: PlanRows, changed: readonly PlanJson[]): PlanRows {
  const news = new Map(changed.map((plan) => [keyOf(plan), plan]))
  const updated = (plan: PlanJson): PlanJson => {
    const newer = news.get(keyOf(plan))
    news.delete(keyOf(plan))
    return newer ?? plan
  }
  const [nowShown, nowWaiting] = [shown.map(updated), waiting.map(updated)]
  return { shown: nowShown, waiting: [...[...news.values()].toReversed(), ...nowWaiting] }
}

/** Without the plans that have left the list. */
export function withoutGone({ shown, waiting }: PlanRows, gone: ReadonlySet<string>): PlanRows {
  const stays = (plan: PlanJson): boolean => !gone.has(keyOf(plan))
  return { shown: shown.filter(stays), waiting: waiting.filter(stays) }
}

/** The rows with another page at their end. */
export function withPage(rows: PlanRows, page: readonly PlanJson[]): PlanRows {
  const known = new Set([...rows.shown, ...rows.waiting].map(keyOf))
  return { ...rows, shown: [...rows.shown, ...page.filter((plan) => !known.has(keyOf(plan)))] }
}

/** The rows with those that waited at their front. */
export const withWaiting = ({ shown, waiting }: PlanRows): PlanRows => ({ shown: [...waiting, ...shown], waiting: [] })
