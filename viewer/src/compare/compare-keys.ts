import { bindKeys } from '../keys/keys.js'
import { announce } from '../parts/announcement.js'
import { copy } from '../parts/copy-button.js'
import { go } from '../url/location.js'
import { spanPath, type CompareStore } from './compare-store.js'

/** Binds the keys of the comparison page. Returns a function that removes them. */
export function bindCompareKeys(store: CompareStore): () => void {
  const move = (by: number): void => {
    const { rowCount = 0 } = store.pair.peek() ?? {}
    if (rowCount > 0) store.select(Math.max(0, Math.min(rowCount - 1, store.selected.peek() + by)))
  }
  const open = (side: 'base' | 'other'): void => {
    const row = store.selectedRow.peek()
    const path = row && spanPath(store, row, side)
    if (path === undefined)
      announce(row ? 'That plan has no span in this row' : 'Select a row first: n goes to a difference')
    else go(path)
  }
  const turn = (by: number): void => {
    const others = store.names.length - 1
    store.show(((store.other.peek() - 1 + by + others) % others) + 1)
  }
  return bindKeys([
    { keys: ['n'], shown: 'n', does: 'Next difference', run: () => void store.toDifference(1) },
    { keys: ['N'], shown: 'N', does: 'Previous difference', run: () => void store.toDifference(-1) },
    { keys: ['j', 'ArrowDown'], shown: 'j ↓', does: 'Next row', run: () => move(1) },
    { keys: ['k', 'ArrowUp'], shown: 'k ↑', does: 'Previous row', run: () => move(-1) },
    { keys: ['a'], shown: 'a', does: 'Open the row’s span in the first plan', run: () => open('base') },
    { keys: ['b'], shown: 'b', does: 'Open the row’s span in the other plan', run: () => open('other') },
    ...(store.names.length > 2
      ? [
          { keys: ['['], shown: '[', does: 'Compare with the previous plan', run: () => turn(-1) },
          { keys: [']'], shown: ']', does: 'Compare with the next plan', run: () => turn(1) },
        ]
      : []),
    { keys: ['c'], shown: 'c', does: 'Copy a link to this view', run: () => void copy(location.href, 'Link') },
    {
      keys: ['Escape'],
      shown: 'Esc',
      does: 'Close the detail, then back to the list',
      run: () => (store.selected.peek() < 0 ? go('/plans') : store.select(undefined)),
    },
  ])
}
