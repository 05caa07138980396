import type { DataFrame, GrafanaTheme2, TimeRange } from '@grafana/data'
import type { PanelData } from './data'

/** The props of all kinds of panels. */
export interface PanelProps {
  readonly panel: PanelData
  readonly frames: DataFrame[]
  readonly width: number
  readonly height: number
  readonly range: TimeRange
  readonly theme: GrafanaTheme2
}
