import type { GrafanaTheme2, TimeRange } from '@grafana/data'
import { useEffect, useRef } from 'react'
import type { PageData, PanelData } from './data'
import { Panel } from './panel'

const COLUMNS = 24
const ROW_HEIGHT = 30
const GAP = 8
const WIDTH = 1600

/** A dashboard's title, variables and panels on Grafana's grid. */
export function Dashboard({ page, range, theme }: { page: PageData; range: TimeRange; theme: GrafanaTheme2 }) {
  const main = useRef<HTMLElement>(null)
  useEffect(() => void markWhenDrawn(main.current), [])
  const rows = Math.max(...page.panels.map(({ gridPos }) => gridPos.y + gridPos.h))
  return (
    <main
      ref={main}
      style={{ width: WIDTH, padding: 16, background: theme.colors.background.canvas, boxSizing: 'border-box' }}
    >
      <h2 style={{ margin: 0 }}>{page.title}</h2>
      <div style={{ display: 'flex', gap: 8, margin: '8px 0 16px', alignItems: 'center' }}>
        {page.variables.map(({ label, value }) => (
          <Chip key={label} label={label} value={value} theme={theme} />
        ))}
        <span style={{ marginLeft: 'auto' }}>
          <Chip label="Time" value={`${day(range.from.valueOf())} to ${day(range.to.valueOf())} UTC`} theme={theme} />
        </span>
      </div>
      <div style={{ position: 'relative', height: rows * (ROW_HEIGHT + GAP) - GAP }}>
        {page.panels.map((panel) => (
          <Cell key={panel.id} panel={panel} range={range} theme={theme} />
        ))}
      </div>
    </main>
  )
}

function Cell({ panel, range, theme }: { panel: PanelData; range: TimeRange; theme: GrafanaTheme2 }) {
  const column = (WIDTH - 32 + GAP) / COLUMNS
  const { x, y, w, h } = panel.gridPos
  const width = w * column - GAP
  const height = h * (ROW_HEIGHT + GAP) - GAP
  return (
    <div style={{ position: 'absolute', left: x * column, top: y * (ROW_HEIGHT + GAP), width, height }}>
      <Panel panel={panel} width={width} height={height} range={range} theme={theme} />
    </div>
  )
}

function Chip({ label, value, theme }: { label: string; value: string; theme: GrafanaTheme2 }) {
  return (
    <span
      style={{
        border: `1px solid ${theme.colors.border.medium}`,
        background: theme.colors.background.primary,
        borderRadius: 2,
        padding: '4px 8px',
        whiteSpace: 'nowrap',
      }}
    >
      <b>{label}</b> {value}
    </span>
  )
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ')
}

// Charts are drawn on a canvas after the first animation frame.
async function markWhenDrawn(element: HTMLElement | null): Promise<void> {
  await document.fonts.ready
  for (let frame = 0; frame < 5; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
  element?.setAttribute('data-drawn', '')
}
