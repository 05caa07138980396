import { bindKeys } from '../keys/keys.js'
import type { PlanStore } from '../plan/plan-store.js'
import type { StepsStore } from './steps-store.js'

/** Binds the keys that move through a plan's steps. Returns a function that removes them. */
export function bindStepsKeys(store: PlanStore, { course, place }: StepsStore): () => void {
  const toRow = (by: number): void => {
    const rows = course.peek()?.rows ?? []
    const at = place.peek()?.row ?? (by > 0 ? -1 : rows.length)
    for (let next = at + by; next >= 0 && next < rows.length; next += by) {
      const id = rows[next]?.id
      if (id !== undefined) return store.select(id)
    }
  }
  const toCell = (by: number): void => {
    const at = place.peek()
    const row = course.peek()?.rows[at?.row ?? -1]
    if (!at) return toRow(1)
    if (row?.kind !== 'work') return
    const next = (at.cell ?? -1) + by
    const id = next < 0 ? row.id : row.cells[next]?.row.id
    if (id !== undefined) store.select(id)
  }
  return bindKeys([
    { keys: ['j', 'ArrowDown'], shown: 'j ↓', does: 'Next agent or mark', run: () => toRow(1) },
    { keys: ['k', 'ArrowUp'], shown: 'k ↑', does: 'Previous agent or mark', run: () => toRow(-1) },
    { keys: ['ArrowLeft'], shown: '←', does: 'Previous cycle', run: () => toCell(-1) },
    { keys: ['ArrowRight'], shown: '→', does: 'Next cycle', run: () => toCell(1) },
  ])
}
