import { judgedIn } from '../model/judged.js'
import { countText, durationText, wholeCount } from '../model/quantity.js'
import { foldsBetween, shownCells, type Stretch } from '../model/ribbon.js'
import { roleWord } from '../model/words.js'
import { isFailed, type Judgement } from '../model/row.js'
import type { Node } from '../model/tree.js'
import { Icon } from '../parts/icon.js'
import { StateSign } from '../parts/state-mark.js'
import { lengthOf } from '../plan/length-of.js'
import type { PlanStore } from '../plan/plan-store.js'

/** The width of a cell and of the gap after it, pixels; the same as in steps.css. */
const CELL = 18

interface RibbonProps {
  readonly store: PlanStore
  readonly cells: readonly Node[]
  /** The available width, pixels. */
  readonly width: number
  readonly level: number
  /** The index of the selected cell. */
  readonly at: number | undefined
}

/** The work of an agent, one cell per cycle. */
export function Ribbon({ store, cells, width, level, at }: RibbonProps) {
  const stretches = shownCells(cells.length, Math.max(1, Math.floor(width / CELL)), at)
  const folds = foldsBetween(stretches)
  const current = cells[at ?? cells.length - 1]
  return (
    <span class="ribbon" role="none">
      {stretches.flatMap(({ from, to }, index) => {
        const fold = folds[index]
        return [
          ...cells
            .slice(from, to)
            .map((node, place) => (
              <Cell
                key={node.row.id}
                store={store}
                node={node}
                place={from + place}
                of={cells.length}
                level={level}
                isSelected={from + place === at}
              />
            )),
          ...(fold ? [<Fold key="fold" store={store} cells={cells} fold={fold} level={level} />] : []),
        ]
      })}
      {current && folds.length === 0 && (
        <span class="ribbon-words muted" aria-hidden="true">
          {aboutOf(current)}
        </span>
      )}
    </span>
  )
}

/** The subject of a cell; '' if the cycle has none. */
function aboutOf({ row: { role, name, label } }: Node): string {
  return [name === roleWord(role) ? '' : name, label].filter((text) => text !== '').join(' ')
}

const JUDGED_WORDS: Readonly<Record<Judgement, string>> = {
  taken: 'taken although unsafe',
  stopped: 'stopped',
  unsafe: 'judged unsafe',
  safe: 'judged safe',
}

interface CellProps extends Pick<RibbonProps, 'store' | 'level'> {
  readonly node: Node
  readonly place: number
  readonly of: number
  readonly isSelected: boolean
}

function Cell({ store, node, place, of, level, isSelected }: CellProps) {
  const { row, causes } = node
  const outcome = isFailed(row) ? 'failed' : row.state
  const judged = judgedIn(node)
  const isNotched = outcome !== 'failed' && causes > 0
  const words = [
    `${roleWord(row.role)} ${place + 1} of ${of}`,
    aboutOf(node),
    outcome ?? 'state not known',
    isNotched ? 'a call failed' : '',
    judged === undefined ? '' : JUDGED_WORDS[judged],
    durationText(lengthOf(store, row)),
  ].filter((word) => word !== '')
  return (
    <span
      id={`span-${row.id}`}
      role="treeitem"
      aria-level={level}
      aria-setsize={of}
      aria-posinset={place + 1}
      aria-selected={isSelected}
      aria-label={words.join(', ')}
      title={words.join(' · ')}
      class={`cell${isSelected ? ' selected' : ''}${isNotched ? ' notched' : ''}`}
      data-state={outcome ?? 'unknown'}
      data-judged={judged}
      onClick={() => store.select(row.id)}
    >
      {outcome !== null && outcome !== 'completed' && <StateSign state={outcome} />}
      {judged !== undefined && <Icon name="shield" />}
    </span>
  )
}

interface FoldProps extends Pick<RibbonProps, 'store' | 'level' | 'cells'> {
  readonly fold: Stretch
}

/** The cells that did not fit; a click selects the first that failed or was risky, else the first. */
function Fold({ store, cells, fold: { from, to }, level }: FoldProps) {
  const hidden = cells.slice(from, to)
  const sum = (of: 'causes' | 'taken' | 'stopped'): number => hidden.reduce((total, node) => total + node[of], 0)
  const [failures, taken, stopped] = [sum('causes'), sum('taken'), sum('stopped')]
  const noted = hidden.find((node) => node.taken > 0 || node.stopped > 0 || node.failures > 0) ?? hidden[0]
  const words = [
    `${wholeCount(hidden.length)} more`,
    failures > 0 ? `${wholeCount(failures)} failed` : '',
    stopped > 0 ? `${wholeCount(stopped)} stopped` : '',
    taken > 0 ? `${wholeCount(taken)} taken although unsafe` : '',
  ].filter((word) => word !== '')
  return (
    <span
      role="treeitem"
      aria-level={level}
      aria-setsize={cells.length}
      aria-posinset={from + 1}
      aria-selected={false}
      aria-label={words.join(', ')}
      title={words.join(' · ')}
      class="ribbon-fold"
      onClick={() => noted && store.select(noted.row.id)}
    >
      + {countText(hidden.length)}
      {failures > 0 && <span class="failures"> ✕ {countText(failures)}</span>}
      {taken > 0 ? <span class="taken"> ▲</span> : stopped > 0 && <span class="stopped"> ■</span>}
    </span>
  )
}
