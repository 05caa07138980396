import { bindKeys } from '../keys/keys.js'
import { allWithChildren, openAtFirst } from '../model/open-rows.js'
import { inOrder, isRisky } from '../model/sums.js'
import { isCause, type Node } from '../model/tree.js'
import { announce } from '../parts/announcement.js'
import { copy } from '../parts/copy-button.js'
import { go, setParameters } from '../url/location.js'
import type { FindStore } from './find-store.js'
import type { PlanStore } from './plan-store.js'
import { viewBeside } from './view-tabs.js'

/** Binds the keys of a plan's page. Returns a function that removes them. */
export function bindPlanKeys(store: PlanStore, find: FindStore): () => void {
  const move = (by: number): void => {
    const nodes = store.visible.peek()
    const at = nodes.findIndex(({ row }) => row.id === store.selected.peek())
    const next = nodes[Math.max(0, Math.min(nodes.length - 1, at + by))]
    if (next) store.select(next.row.id)
  }
  const selected = (): Node | undefined => store.selectedNode.peek()
  const fold = (): void => {
    const node = selected()
    if (!node) return
    if (store.open.peek().has(node.row.id) && node.children.length > 0) store.setOpen(node.row.id, false)
    else if (node.parent) store.select(node.parent.row.id)
  }
  const unfold = (): void => {
    const node = selected()
    if (!node) return move(1)
    if (node.children.length === 0) return
    if (store.open.peek().has(node.row.id)) move(1)
    else store.setOpen(node.row.id, true)
  }
  const toggle = (): void => {
    const node = selected()
    if (node && node.children.length > 0) store.setOpen(node.row.id, !store.open.peek().has(node.row.id))
  }
  const toNext = (isWanted: (node: Node) => boolean, none: string): void => {
    const order = inOrder(store.tree.peek())
    const at = order.findIndex(({ row }) => row.id === store.selected.peek())
    const next = [...order.slice(at + 1), ...order.slice(0, at + 1)].find(isWanted)
    if (next) store.select(next.row.id)
    else announce(none)
  }
  const toMatch = (by: 1 | -1): void => {
    if (!find.isActive.peek()) find.isWanted.value = true
    else if (!find.go(by)) announce('Nothing found')
  }
  const toView = (by: number): void => {
    const shown = store.view.peek()
    if (shown) setParameters({ view: viewBeside(shown, by) })
  }
  const back = (): void => {
    if (find.isActive.peek()) find.end()
    else if (store.selected.peek() === undefined) go('/plans')
    else store.select(undefined)
  }
  return bindKeys([
    { keys: ['j', 'ArrowDown'], shown: 'j ↓', does: 'Next span', run: () => move(1) },
    { keys: ['k', 'ArrowUp'], shown: 'k ↑', does: 'Previous span', run: () => move(-1) },
    { keys: ['ArrowLeft'], shown: '←', does: 'Fold, or go to the parent span', run: fold },
    { keys: ['ArrowRight'], shown: '→', does: 'Unfold, or go to the first child span', run: unfold },
    { keys: ['Enter'], shown: 'Enter', does: 'Fold or unfold', run: toggle },
    {
      keys: ['+'],
      shown: '+',
      does: 'Unfold all',
      run: () => (store.open.value = allWithChildren(store.tree.peek())),
    },
    {
      keys: ['-'],
      shown: '-',
      does: 'Fold to the initial view',
      run: () => (store.open.value = openAtFirst(store.tree.peek())),
    },
    { keys: ['/'], shown: '/', does: 'Find in the plan', run: () => (find.isWanted.value = true) },
    { keys: ['n'], shown: 'n', does: 'Next match', run: () => toMatch(1) },
    { keys: ['N'], shown: 'N', does: 'Previous match', run: () => toMatch(-1) },
    { keys: ['e'], shown: 'e', does: 'Next failure', run: () => toNext(isCause, 'No failures') },
    { keys: ['r'], shown: 'r', does: 'Next risk', run: () => toNext(isRisky, 'No risky judgements') },
    { keys: ['['], shown: '[', does: 'Previous view', run: () => toView(-1) },
    { keys: [']'], shown: ']', does: 'Next view', run: () => toView(1) },
    {
      keys: ['f'],
      shown: 'f',
      does: 'Follow the newest span, or stop',
      run: () => (store.isFollowing.value = !store.isFollowing.peek()),
    },
    { keys: ['c'], shown: 'c', does: 'Copy a link to this view', run: () => void copy(location.href, 'Link') },
    { keys: ['Escape'], shown: 'Esc', does: 'Close the search, close the detail, back to the list', run: back },
  ])
}
