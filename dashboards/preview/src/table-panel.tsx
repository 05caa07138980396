import { TableNG } from '@grafana/ui/unstable'
import type { PanelProps } from './panel-props'

/** A table, as Grafana 13 draws it. */
export function TablePanel({ panel, frames, width, height, range }: PanelProps) {
  const [data] = frames
  if (!data) return null
  return (
    <TableNG
      data={data}
      width={width}
      height={height}
      cellHeight={panel.options.cellHeight}
      noHeader={!panel.options.showHeader}
      sortBy={panel.options.sortBy}
      {...(panel.fieldConfig && { fieldConfig: panel.fieldConfig })}
      timeRange={range}
    />
  )
}
