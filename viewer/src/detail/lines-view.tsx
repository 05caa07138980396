import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

import { countOf, type Lines } from '../model/lines.js'
import { countText, wholeCount } from '../model/quantity.js'
import { foldedAtFirst, hitsIn, shownLines, unfoldedTo } from '../model/shown-lines.js'
import { LineFind } from './line-find.js'
import { Line } from './line.js'
import { readLines } from './read-lines.js'

/** The number of lines drawn at once. */
const PIECE = 100
/** Only longer values have a search field. */
const LONG_LINES = 25
const LONG_TEXT = 3_000

/** JSON or a long text, searchable, with deep and large parts folded. Only visible lines are drawn. */
export function LinesView({ text }: { readonly text: string }) {
  const read = useMemo(() => readLines(text), [text])
  const [late, setLate] = useState<{ readonly read: typeof read; readonly lines: Lines }>()
  useEffect(() => {
    if (read instanceof Promise) void read.then((lines) => setLate({ read, lines }))
  }, [read])
  const lines = read instanceof Promise ? (late?.read === read ? late.lines : undefined) : read
  return lines ? (
    <LinesOf key={text} lines={lines} />
  ) : (
    <p class="muted">Reading {countText(text.length)} characters …</p>
  )
}

function LinesOf({ lines }: { readonly lines: Lines }) {
  const first = useMemo(() => foldedAtFirst(lines), [lines])
  const [folded, fold] = useState<ReadonlySet<number>>(first)
  const [drawn, draw] = useState({ from: 0, to: PIECE })
  const [sought, seek] = useState('')
  const [current, setCurrent] = useState(-1)
  const list = useRef<HTMLDivElement>(null)
  const shown = useMemo(() => shownLines(lines, folded), [lines, folded])
  const hits = useMemo(() => hitsIn(lines, sought), [lines, sought])
  const hit = hits[current]
  useEffect(() => {
    list.current?.querySelector('mark.current')?.scrollIntoView({ block: 'nearest' })
  }, [hit])
  if (countOf(lines) === 0) return <span class="muted">empty</span>
  const go = (to: number, among = hits): void => {
    const next = among[(to + among.length) % among.length]
    if (!next) return
    const open = unfoldedTo(lines, folded, next.line)
    fold(open)
    draw(around(shownLines(lines, open).indexOf(next.line), drawn))
    setCurrent(among.indexOf(next))
  }
  const toggle = (line: number): void => {
    const next = new Set(folded)
    if (!next.delete(line)) next.add(line)
    fold(next)
  }
  return (
    <div class="json" ref={list}>
      {(countOf(lines) > LONG_LINES || lines.text.length > LONG_TEXT) && (
        <LineFind
          sought={sought}
          count={hits.length}
          current={current}
          go={go}
          seek={(wanted, isGoing) => {
            seek(wanted)
            setCurrent(-1)
            if (isGoing) go(0, hitsIn(lines, wanted))
          }}
        />
      )}
      {drawn.from > 0 && (
        <button type="button" class="more" onClick={() => draw({ ...drawn, from: Math.max(0, drawn.from - PIECE) })}>
          {wholeCount(drawn.from)} lines before
        </button>
      )}
      <ul>
        {shown.slice(drawn.from, drawn.to).map((line) => (
          <Line
            key={line}
            lines={lines}
            line={line}
            isOpen={!folded.has(line)}
            sought={sought}
            hit={hit?.line === line ? hit : undefined}
            toggle={toggle}
          />
        ))}
      </ul>
      {shown.length > drawn.to && (
        <button type="button" class="more" onClick={() => draw({ ...drawn, to: drawn.to + PIECE })}>
          {wholeCount(shown.length - drawn.to)} lines more
        </button>
      )}
    </div>
  )
}

interface Drawn {
  readonly from: number
  readonly to: number
}

/** The lines to draw so that a place becomes visible. */
const around = (place: number, drawn: Drawn): Drawn =>
  place >= drawn.from && place < drawn.to
    ? drawn
    : { from: Math.max(0, place - PIECE / 4), to: place + PIECE - PIECE / 4 }

/** The number of characters above which a text is drawn line by line. */
export const LONG = 20_000

/** A text; the lines of a long text are drawn when they become visible. */
export const LongText = ({ text }: { readonly text: string }) =>
  text.length > LONG ? <LinesView text={text} /> : <div class="text">{text}</div>
