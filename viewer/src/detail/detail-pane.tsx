import { useEffect, useMemo, useRef } from 'preact/hooks'

import { durationText } from '../model/quantity.js'
import { roleWord, mayChange } from '../model/words.js'
import { CopyButton } from '../parts/copy-button.js'
import { Glyph } from '../parts/glyph.js'
import { IconButton } from '../parts/icon.js'
import { isNarrow } from '../parts/media.js'
import { StateMark } from '../parts/state-mark.js'
import { fullTime } from '../parts/zone.js'
import { lengthOf } from '../plan/length-of.js'
import type { PlanStore } from '../plan/plan-store.js'
import { paneWidth, ResizeHandle } from './resize-handle.js'
import { RoleView } from './role-view.js'
import { createSpanCache } from './span-cache.js'
import { SpanData } from './span-data.js'

/** The selected span, with the most important data on top. */
export function DetailPane({ store }: { readonly store: PlanStore }) {
  const cache = useMemo(() => createSpanCache(store), [store])
  const body = useRef<HTMLDivElement>(null)
  const node = store.selectedNode.value
  const row = node?.row
  const nodes = store.visible.value
  useEffect(() => {
    if (!row) return
    void cache.read(row)
    // Start at the top, since most people go from span to span.
    const next = nodes[nodes.findIndex((one) => one.row.id === row.id) + 1]
    if (next) void cache.read(next.row)
  }, [row, cache])
  useEffect(() => {
    if (body.current) body.current.scrollTop = 0
  }, [row?.id])
  if (!node || !row) return null
  const payload = cache.payloads.value.get(row.id)
  const failure = cache.failures.value.get(row.id)
  const width = isNarrow.value ? {} : { width: `${paneWidth.value}px` }
  const { parent } = node
  return (
    <aside class="detail" aria-label="Detail" style={width}>
      <ResizeHandle />
      <header>
        <Glyph role={row.role} />
        <h2>
          {row.name !== roleWord(row.role) && <span class="muted">{roleWord(row.role)} </span>}
          {row.name}
        </h2>
        <CopyButton text={() => location.href} what="Link to this span" icon="link" />
        {parent && (
          <IconButton
            icon="up"
            label="Parent span"
            title={`Parent span: ${parent.row.name}`}
            onClick={() => store.select(parent.row.id)}
          />
        )}
        <IconButton icon="close" label="Close the detail" title="Close (Esc)" onClick={() => store.select(undefined)} />
      </header>
      <div class="detail-times">
        {row.state && <StateMark state={row.state} />}
        {row.state === null && row.failed && <span class="failures">✕ failed</span>}
        <span class="number">{durationText(lengthOf(store, row))}</span>
        <span class="muted number">{fullTime(row.start)}</span>
        {row.pending && row.state && !mayChange(row.state) && <span class="muted">its end was not sent</span>}
      </div>
      <div ref={body} class="detail-body" tabIndex={0} role="group" aria-label="Contents of the span">
        {payload ? (
          <>
            <RoleView node={node} span={payload.span} select={store.select} />
            <SpanData span={payload.span} traceId={store.summary.value?.traceId} />
          </>
        ) : (
          <p class="muted">{failure ?? 'Reading …'}</p>
        )}
      </div>
    </aside>
  )
}
