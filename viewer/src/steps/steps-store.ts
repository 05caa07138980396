import { computed, signal } from '@preact/signals'
import type { StepsJson } from 'planspan/client'

import { client } from '../data/client.js'
import { isPassing } from '../data/connection.js'
import { courseOf, placeOf } from '../model/course-rows.js'
import { stepsVersion } from '../model/steps-version.js'
import type { PlanStore } from '../plan/plan-store.js'

export type StepsStore = ReturnType<typeof createStepsStore>

/** The least time between two readings, milliseconds, and how many times as long as one took. */
const PAUSE_MS = 250
const PAUSE_FACTOR = 4

/** The steps of a plan beside what was done for them: as read with its spans, and anew after changes. */
export function createStepsStore({ planId, place, tree, isLoaded, outlined, selectedNode }: PlanStore) {
  const answer = signal<StepsJson | undefined>(undefined)
  const failure = signal<string | undefined>(undefined)
  /** Undefined until the spans are known. */
  const version = computed(() => (isLoaded.value ? stepsVersion(tree.value) : undefined))
  const course = computed(() => {
    const steps = answer.value ?? outlined.value?.steps
    return steps && courseOf(steps, tree.value)
  })
  return {
    course,
    failure,
    /** Where the selected span stands. */
    place: computed(() => course.value && placeOf(course.value, selectedNode.value)),

    /** Reads the steps after changes, until the signal aborts. */
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
        let known: string | undefined
        while (!signal.aborted) {
          known ??= outlined.peek()?.version
          if (known === version.peek()) await changed()
          if (signal.aborted) return
          if (known === undefined) continue
          const [asked, begun] = [version.peek(), performance.now()]
          try {
            answer.value = await client.steps(planId, place, { signal })
            known = asked
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
