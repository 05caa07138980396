import { computed, signal } from '@preact/signals'

import { client } from '../data/client.js'
import { isPassing } from '../data/connection.js'
import { courseOf, placeOf } from '../model/course-rows.js'
import type { Role } from '../model/words.js'
import type { Tree } from '../model/tree.js'
import type { PlanStore } from '../plan/plan-store.js'

export type StepsStore = ReturnType<typeof createStepsStore>

/** The shortest pause between two loads, milliseconds, and as a multiple of the time that a load took. */
const PAUSE_MS = 250
const PAUSE_FACTOR = 4

/** Creates the store of a plan's steps beside the work: loaded with its spans, and again after changes. */
export function createStepsStore({ planId, place, tree, isWhole, outlined, selectedNode }: PlanStore) {
  const failure = signal<string | undefined>(undefined)
  /** Undefined until all spans are loaded. */
  const version = computed(() => (isWhole.value ? stepsVersion(tree.value) : undefined))
  const course = computed(() => outlined.value && courseOf(outlined.value.steps, tree.value))
  const isStale = (): boolean => version.peek() !== undefined && version.peek() !== outlined.peek()?.version
  return {
    course,
    failure,
    /** The position of the selected span. */
    place: computed(() => course.value && placeOf(course.value, selectedNode.value)),

    /** Loads the steps after changes, until the signal aborts. */
    follow(signal: AbortSignal): void {
      let wake = (): void => {}
      const stop = version.subscribe(() => wake())
      const end = (): void => {
        stop()
        wake()
      }
      signal.addEventListener('abort', end, { once: true })
      void readOnAndOn()

      async function readOnAndOn(): Promise<void> {
        while (!signal.aborted) {
          if (!isStale()) await changed()
          const asked = version.peek()
          if (signal.aborted || asked === undefined || !isStale()) continue
          const begun = performance.now()
          try {
            outlined.value = { steps: await client.steps(planId, place, { signal }), version: asked }
          } catch (error) {
            if (signal.aborted) return
            if (!isPassing(error)) {
              failure.value = error instanceof Error ? error.message : String(error)
              return
            }
          }
          await new Promise((resolve) => {
            setTimeout(resolve, Math.max(PAUSE_MS, (performance.now() - begun) * PAUSE_FACTOR))
          })
        }
      }

      function changed(): Promise<void> {
        return new Promise((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

const SOURCE_ROLES: ReadonlySet<Role> = new Set(['plan', 'planning', 'wait', 'agent'])

/** Returns a version of the spans that determine the steps; the steps may change when it changes. */
export function stepsVersion({ nodes }: Tree): string {
  const parts: string[] = []
  for (const { row } of nodes.values()) {
    if (row.role !== null && SOURCE_ROLES.has(row.role)) parts.push(row.id, row.state ?? '', String(row.pending))
  }
  return parts.join()
}
