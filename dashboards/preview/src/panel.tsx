import { type GrafanaTheme2, type TimeRange } from '@grafana/data'
import { PanelChrome } from '@grafana/ui'
import { BarGaugePanel } from './bar-gauge-panel'
import { type PanelData, toDataFrames } from './data'
import { withFieldConfig } from './field-config'
import { StatPanel } from './stat-panel'
import { TablePanel } from './table-panel'
import { TimeSeriesPanel } from './time-series-panel'
import { TracePanel } from './trace-panel'
import type { PanelProps } from './panel-props'

const PANELS: Readonly<Record<string, (props: PanelProps) => React.ReactNode>> = {
  stat: StatPanel,
  timeseries: TimeSeriesPanel,
  table: TablePanel,
  bargauge: BarGaugePanel,
  traces: TracePanel,
}

/** One panel in Grafana's frame. */
export function Panel(props: {
  panel: PanelData
  width: number
  height: number
  range: TimeRange
  theme: GrafanaTheme2
}) {
  const { panel, width, height, range, theme } = props
  const Draw = PANELS[panel.type]
  if (!Draw) throw new Error(`The preview draws no panel of type ${panel.type}.`)
  const frames = withFieldConfig(toDataFrames(panel.frames), theme, panel.fieldConfig)
  return (
    <PanelChrome
      title={panel.title}
      description={panel.description ?? ''}
      width={width}
      height={height}
      padding={panel.type === 'table' ? 'none' : 'md'}
    >
      {(innerWidth, innerHeight) =>
        isEmpty(panel) ? (
          <p style={{ padding: 16, textAlign: 'center', color: theme.colors.text.secondary }}>
            {panel.fieldConfig?.defaults.noValue ?? 'No data'}
          </p>
        ) : (
          <Draw panel={panel} frames={frames} width={innerWidth} height={innerHeight} range={range} theme={theme} />
        )
      }
    </PanelChrome>
  )
}

function isEmpty({ type, frames }: PanelData): boolean {
  return type !== 'stat' && frames.every(({ fields }) => (fields[0]?.values.length ?? 0) === 0)
}
