import { useEffect, useRef } from 'preact/hooks'

import { paneWidth, ResizeHandle } from '../detail/resize-handle.js'
import {
  actionWord,
  capitalised,
  type ComparedRow,
  detailWord,
  headingOf,
  planLetter,
  type Side,
} from '../model/compared.js'
import { costText, durationText, riskText, wholeCount } from '../model/quantity.js'
import { IconButton } from '../parts/icon.js'
import { isNarrow } from '../parts/media.js'
import { spanPath, type CompareStore } from './compare-store.js'
import { linkTo } from '../url/base.js'

/** All data of a row, the two sides beside each other. */
export function RowDetail({ store }: { readonly store: CompareStore }) {
  const row = store.selectedRow.value
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (body.current) body.current.scrollTop = 0
  }, [row])
  if (!row) return null
  const width = isNarrow.value ? {} : { width: `${paneWidth.value}px` }
  const letters = [planLetter(0), planLetter(store.other.value)] as const
  return (
    <aside class="detail" aria-label="Detail" style={width}>
      <ResizeHandle />
      <header>
        <h2 title={row.path}>{headingOf(row)}</h2>
        <IconButton icon="close" label="Close the detail" title="Close (Esc)" onClick={() => store.select(undefined)} />
      </header>
      <div class="detail-times">{row.depth > 1 && <span class="muted">{row.path}</span>}</div>
      <div ref={body} class="detail-body" tabIndex={0} role="group" aria-label="Both sides">
        <table class="sides">
          <thead>
            <tr>
              <td />
              {(['base', 'other'] as const).map((side, index) => (
                <th key={side} scope="col">
                  <SideHead letter={letters[index] ?? ''} href={spanPath(store, row, side)} has={row[side] !== null} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {linesOf(row).map(({ title, base, other, isText }) => (
              <tr key={title} class={row.base && row.other && base !== other ? 'differs' : undefined}>
                <th scope="row">{title}</th>
                <td class={isText ? 'said' : 'figure'}>{base}</td>
                <td class={isText ? 'said' : 'figure'}>{other}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {row.units > 1 && (
          <p class="muted">
            Sums over {wholeCount(row.units)} steps, cycles and calls; all other values are of the first.
          </p>
        )}
      </div>
    </aside>
  )
}

interface SideHeadProps {
  readonly letter: string
  readonly href: string | undefined
  readonly has: boolean
}

function SideHead({ letter, href, has }: SideHeadProps) {
  return (
    <span class="side-head">
      <span class="letter">{letter}</span>
      {href === undefined ? (
        <span class="muted">{has ? 'not started' : 'not in this plan'}</span>
      ) : (
        <a class="button" href={linkTo(href)} aria-label={`Open in plan ${letter}`} title="Open in the plan">
          Open
        </a>
      )}
    </span>
  )
}

interface Line {
  readonly title: string
  readonly base: string
  readonly other: string
  readonly isText: boolean
}

/** The lines with a value on either side. */
function linesOf(row: ComparedRow): Line[] {
  const line = (title: string, textOf: (side: Side) => string | null, isText = true): Line => ({
    title: capitalised(title),
    base: (row.base && textOf(row.base)) ?? '',
    other: (row.other && textOf(row.other)) ?? '',
    isText,
  })
  const figure = (title: string, of: 'risk' | 'tokens' | 'costUsd' | 'durationMs', write: (value: number) => string) =>
    line(title, ({ [of]: value }) => (value === null ? null : write(value)), false)
  return [
    line(actionWord(row.role), ({ action }) => action),
    line(detailWord(row.role), ({ detail }) => detail),
    line('state', ({ state }) => state),
    line('error', ({ error }) => error),
    line('verdict', ({ safe }) => (safe === null ? null : safe ? 'safe' : 'not safe')),
    line('action', ({ taken }) => (taken === null ? null : taken ? 'taken' : 'not taken')),
    line('answer', ({ answer }) => answer),
    figure('risk', 'risk', riskText),
    figure('tokens', 'tokens', wholeCount),
    figure('cost', 'costUsd', costText),
    figure('duration', 'durationMs', durationText),
  ].filter(({ base, other }) => base !== '' || other !== '')
}
