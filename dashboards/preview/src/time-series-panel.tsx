import { TimeSeries } from '@grafana/ui'
import type { PanelProps } from './panel-props'

/** Lines or bars over time. */
export function TimeSeriesPanel({ panel, frames, width, height, range }: PanelProps) {
  return (
    <TimeSeries
      frames={frames}
      width={width}
      height={height}
      timeRange={range}
      timeZone="utc"
      legend={panel.options.legend}
      options={panel.options}
    />
  )
}
