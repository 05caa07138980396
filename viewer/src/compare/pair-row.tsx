import {
  type ComparedRow,
  differenceWords,
  planLetter,
  figureDifference,
  headingOf,
  type Side,
  signed,
} from '../model/compared.js'
import { costText, countText, durationText, riskText, wholeCount } from '../model/quantity.js'
import { roleWord } from '../model/words.js'
import { Glyph } from '../parts/glyph.js'
import { StateSign } from '../parts/state-mark.js'
import { spanPath, type CompareStore } from './compare-store.js'
import { linkTo } from '../url/base.js'

const INDENT = 14
/** The largest indentation level, so that names keep enough room. */
const DEEPEST = 10

interface PairRowProps {
  readonly store: CompareStore
  readonly index: number
  readonly top: number
  readonly height: number
}

/** The actions of two plans at one place, in one row. */
export function PairRow({ store, index, top, height }: PairRowProps) {
  const row = store.rowAt(index)
  const isSelected = store.selected.value === index
  return (
    <div
      id={`pair-${index}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-busy={!row}
      class={`pair-row${isSelected ? ' selected' : ''}`}
      data-kind={row?.kind}
      style={{ transform: `translateY(${top}px)`, height: `${height}px` }}
      onClick={() => store.select(index)}
    >
      {row && <Cells store={store} row={row} />}
    </div>
  )
}

const KINDS: Readonly<Record<ComparedRow['kind'], string>> = {
  same: 'The same',
  within: 'Differs below',
  changed: 'Changed',
  base: 'Only in the first',
  other: 'Only in the second',
}

/** The same signs as on the command line. */
const SIGNS: Readonly<Record<ComparedRow['kind'], string>> = {
  same: '=',
  within: '',
  changed: '≠',
  base: '<',
  other: '>',
}

function Cells({ store, row }: { readonly store: CompareStore; readonly row: ComparedRow }) {
  const { kind, depth, base, other } = row
  const indent = { paddingLeft: `${Math.min(depth, DEEPEST) * INDENT + 12}px` }
  const words = differenceWords(row)
  const isAlike = kind === 'same' || kind === 'within'
  return (
    <>
      {isAlike ? (
        <span role="gridcell" aria-colspan={2} class="p-both" style={indent}>
          <Alike row={row} />
        </span>
      ) : (
        <>
          <span role="gridcell" class="p-side" style={base ? indent : undefined}>
            {base && <SideCell side={base} row={row} sign={SIGNS[kind]} href={spanPath(store, row, 'base')} />}
          </span>
          <span role="gridcell" class="p-side" style={other ? indent : undefined}>
            {other && (
              <SideCell side={other} row={row} sign={base ? '' : SIGNS[kind]} href={spanPath(store, row, 'other')} />
            )}
          </span>
        </>
      )}
      <span role="gridcell" class="p-what" title={words.join(', ')}>
        <span class="spoken">{KINDS[kind]} </span>
        {kind === 'base' || kind === 'other' ? `only in ${planLetter(kind === 'base' ? 0 : store.other.value)}` : ''}
        {words.join(', ')}
      </span>
      <More text={signed(figureDifference(row, 'tokens'), countText)} />
      <More text={signed(figureDifference(row, 'costUsd'), costText)} name="p-cost" />
      <More text={signed(figureDifference(row, 'durationMs'), durationText)} />
    </>
  )
}

function Sign({ text }: { readonly text: string }) {
  return (
    <span class="p-sign" aria-hidden="true">
      {text}
    </span>
  )
}

function More({ text, name = '' }: { readonly text: string; readonly name?: string }) {
  return (
    <span role="gridcell" class={`p-more number ${name}`}>
      {text}
    </span>
  )
}

/** An action of both plans: several equal ones, or one with differences below it. */
function Alike({ row }: { readonly row: ComparedRow }) {
  const { kind, role, units, base } = row
  return (
    <>
      <Sign text={SIGNS[kind]} />
      {role !== null && <Glyph role={role === 'step' ? 'plan' : role} />}
      <span class="name">{headingOf(row)}</span>
      {kind === 'same' && units > 1 && <span class="muted">{wholeCount(units)} the same</span>}
      {kind === 'within' && base?.detail && <span class="label muted">{base.detail}</span>}
    </>
  )
}

interface SideCellProps {
  readonly side: Side
  readonly row: ComparedRow
  readonly sign: string
  readonly href: string | undefined
}

/** The action of one plan, with a link to it. */
function SideCell({ side, row: { role, units, kind }, sign, href }: SideCellProps) {
  const { action, detail, error, answer, state, taken, safe, risk } = side
  const name = action === '' ? (role === null || role === 'step' ? 'Step' : roleWord(role)) : action
  const said = [detail, answer].filter((text) => text !== null && text !== '').join(' → ')
  return (
    <>
      <Sign text={sign} />
      <Glyph role={role === 'step' ? 'plan' : role} />
      {href === undefined ? (
        <span class="name">{name}</span>
      ) : (
        <a class="name" href={linkTo(href)} tabIndex={-1}>
          {name}
        </a>
      )}
      {said !== '' && <span class="label muted">{said}</span>}
      {kind !== 'changed' && units > 1 && <span class="mark muted">{wholeCount(units - 1)} below</span>}
      {safe === false && taken === true && <span class="mark taken">▲ taken</span>}
      {safe === false && taken === false && (
        <span class="mark stopped">■ stopped{risk === null ? '' : `, ${riskText(risk)}`}</span>
      )}
      {safe === false && taken === null && <span class="mark unsafe">▲ unsafe</span>}
      {state !== null && state !== 'completed' && (
        <span class="mark" data-state={state} title={state}>
          <StateSign state={state} />
          <span class="spoken">{state}</span>
        </span>
      )}
      {error !== null && <span class="mark error-text failures">{error}</span>}
    </>
  )
}
