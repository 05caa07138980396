import { computed, effect, signal } from '@preact/signals'

import { client } from '../data/client.js'
import { isPassing } from '../data/connection.js'
import { ALL_KINDS, countsBelow, type Kind, nodesOfKinds, shows } from '../model/find.js'
import { inOrder } from '../model/sums.js'
import { here, setParameters } from '../url/location.js'
import type { PlanStore } from './plan-store.js'

/** The interval at which a growing plan is searched again, milliseconds. */
const AGAIN_MS = 1_000
const MOST_CHARACTERS = 200

export type FindStore = ReturnType<typeof createFindStore>

/** Creates the search inside a plan, for the text and the kind in the URL. */
export function createFindStore(store: PlanStore) {
  const { planId, place, tree, isWhole, selected, reveal } = store
  const text = computed(() => (here.value.searchParams.get('find') ?? '').trim().slice(0, MOST_CHARACTERS))
  const sought = computed(() => text.value.toLowerCase())
  const kind = computed(() => ALL_KINDS.find((one) => one === here.value.searchParams.get('only')))
  const isActive = computed(() => text.value !== '' || kind.value !== undefined)
  /** The result of the server, and its search text. */
  const found = signal<{ readonly text: string; readonly ids: ReadonlySet<string> }>({ text: '', ids: new Set() })
  const failure = signal<string | undefined>(undefined)
  /** The tree of the latest search; a growing tree is not searched for each span. */
  const searched = signal(tree.peek())
  const order = computed(() => inOrder(searched.value))
  const kinds = computed(() => nodesOfKinds(order.value))
  const matches = computed(() => {
    if (!isActive.value) return []
    const among = kind.value ? kinds.value[kind.value] : order.value
    if (text.value === '') return among
    const ids = found.value.text === text.value ? found.value.ids : new Set<string>()
    return among.filter(({ row }) => ids.has(row.id) || shows(row, sought.value))
  })
  const ids = computed(() => new Set(matches.value.map(({ row }) => row.id)))

  async function ask(wanted: string, signal: AbortSignal): Promise<void> {
    try {
      found.value = { text: wanted, ids: new Set(await client.search(planId, wanted, place, { signal })) }
      failure.value = undefined
    } catch (error) {
      // The plan is followed at the same time and reports an outage; the visible texts are searched without the server.
      if (!signal.aborted && !isPassing(error)) failure.value = error instanceof Error ? error.message : String(error)
    }
  }

  return {
    text,
    /** The search text in lower case. */
    sought,
    kind,
    isActive,
    kinds,
    /** Whether all spans are loaded, so that counts are final. */
    isWhole,
    matches,
    ids,
    failure,
    below: computed(() => countsBelow(matches.value)),
    /** Whether the server's result is pending. */
    isAsking: computed(() => text.value !== '' && found.value.text !== text.value && failure.value === undefined),
    /** The index of the selected match, from 1; 0 for none. */
    position: computed(() => matches.value.findIndex(({ row }) => row.id === selected.value) + 1),
    /** Set to request focus for the field. */
    isWanted: signal(false),

    setText: (next: string): void => setParameters({ find: next.trim() }, { replace: true }),
    setKind: (next: Kind | undefined): void => setParameters({ only: next }, { replace: true }),
    end: (): void => setParameters({ find: undefined, only: undefined }, { replace: true }),

    /** Selects the match after or before the selected span; returns whether there is one. */
    go(by: 1 | -1): boolean {
      const all = by > 0 ? order.peek() : order.peek().toReversed()
      const at = all.findIndex(({ row }) => row.id === selected.peek())
      const next = [...all.slice(at + 1), ...all.slice(0, at + 1)].find(({ row }) => ids.peek().has(row.id))
      if (next) reveal(next.row.id)
      return next !== undefined
    },

    /** Searches for the URL's text, and again while the plan grows. Returns a function that stops this. */
    follow(): () => void {
      let asking = new AbortController()
      let timer: ReturnType<typeof setTimeout> | undefined
      const stopAsking = effect(() => {
        asking.abort()
        asking = new AbortController()
        failure.value = undefined
        if (text.value !== '') void ask(text.value, asking.signal)
      })
      const searchAgain = (): void => {
        timer = undefined
        searched.value = tree.peek()
        if (text.peek() !== '') void ask(text.peek(), asking.signal)
      }
      const stopAgain = effect(() => {
        const isFirst = searched.peek().nodes.size === 0
        if (tree.value === searched.peek() || timer !== undefined) return
        if (isFirst) searched.value = tree.peek()
        else timer = setTimeout(searchAgain, AGAIN_MS)
      })
      return () => {
        stopAsking()
        stopAgain()
        clearTimeout(timer)
        asking.abort()
      }
    },
  }
}
