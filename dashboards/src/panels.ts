import { PanelBuilder as BarGauge } from '@grafana/grafana-foundation-sdk/bargauge'
import {
  BarGaugeDisplayMode,
  BarGaugeNamePlacement,
  BarGaugeValueMode,
  BigValueColorMode,
  BigValueGraphMode,
  BigValueTextMode,
  GraphDrawStyle,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  ScaleDistribution,
  ScaleDistributionConfigBuilder,
  SortOrder,
  StackingConfigBuilder,
  StackingMode,
  TableCellHeight,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizOrientation,
  VizTextDisplayOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common'
import { FieldColorModeId, PanelBuilder, type Threshold } from '@grafana/grafana-foundation-sdk/dashboard'
import { PanelBuilder as Stat } from '@grafana/grafana-foundation-sdk/stat'
import { PanelBuilder as Table } from '@grafana/grafana-foundation-sdk/table'
import { PanelBuilder as TimeSeries } from '@grafana/grafana-foundation-sdk/timeseries'

import { CHOSEN_SOURCE, clickHouseQuery } from './clickhouse-query.js'
import { type Column, columnProperties } from './columns.js'
import { coloursBy, fixed, steps, thresholds } from './look.js'

/** The options that all panels share. */
export interface Panel {
  readonly title: string
  readonly description: string
  readonly sql: string
  /** The width, in columns of the grid of 24. */
  readonly span: number
  /** The height, in rows of 30 pixels. */
  readonly height: number
  readonly unit?: string
  readonly decimals?: number
}

/** A panel that is empty if there are no problems, or if a feature is not set up. */
interface MayBeEmpty extends Panel {
  /** The text of an empty panel. @default Grafana's "No data" */
  readonly empty?: string
}

// One bar per day of a month, or per six hours of a week: few enough to be distinguishable.
const BARS = 30

// Points that are further apart are not connected.
const DAY_MS = 86_400_000

/** Builds a panel that shows the columns of a single row as large values, including text columns. */
export function totals(panel: Panel & { readonly columns: Readonly<Record<string, Column>> }): Stat {
  const builder = common(new Stat(), panel)
    .withTarget(clickHouseQuery(panel.sql, 'table'))
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false).fields('/.*/'))
    .colorMode(BigValueColorMode.Value)
    .graphMode(BigValueGraphMode.None)
    .textMode(BigValueTextMode.ValueAndName)
    .orientation(VizOrientation.Vertical)
    .noValue('none')
    .colorScheme(coloursBy(FieldColorModeId.Thresholds))
    .thresholds(thresholds(steps('text')))
  for (const [name, column] of Object.entries(panel.columns)) builder.overrideByName(name, columnProperties(column))
  return builder
}

/**
 * Series over time: one for each value column and each value of a text column. `colours` maps series names to colors.
 */
export interface Series extends MayBeEmpty {
  readonly colours?: Readonly<Record<string, string>>
  /** The label of the axis. */
  readonly axis?: string
  readonly max?: number
}

/** Builds a panel of stacked bars over time, for counts and sums. */
export function bars(panel: Series): TimeSeries {
  return series(panel)
    .maxDataPoints(BARS)
    .min(0)
    .drawStyle(GraphDrawStyle.Bars)
    .fillOpacity(80)
    .lineWidth(0)
    .stacking(new StackingConfigBuilder().mode(StackingMode.Normal).group('A'))
}

export interface Lines extends Series {
  readonly thresholds?: Threshold[]
  /** Uses a logarithmic axis, for values from milliseconds to days. */
  readonly logarithmic?: true
}

/** Builds a panel of lines over time, for latencies, rates and scores. */
export function lines(panel: Lines): TimeSeries {
  const builder = series(panel)
    .maxDataPoints(BARS * 2)
    .drawStyle(GraphDrawStyle.Line)
    .fillOpacity(0)
    .lineWidth(2)
    .spanNulls(DAY_MS)
  if (panel.logarithmic) {
    builder.scaleDistribution(new ScaleDistributionConfigBuilder().type(ScaleDistribution.Log).log(10))
  } else {
    builder.min(0)
  }
  if (panel.thresholds) {
    builder
      .thresholds(thresholds(panel.thresholds))
      .thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed))
  }
  return builder
}

function series(panel: Series): TimeSeries {
  const builder = common(new TimeSeries(), panel)
    .withTarget(clickHouseQuery(panel.sql, 'timeseries'))
    .colorScheme(coloursBy(FieldColorModeId.PaletteClassic))
    .showPoints(VisibilityMode.Auto)
    .pointSize(5)
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true)
        .calcs([]),
    )
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending))
  if (panel.empty !== undefined) builder.noValue(panel.empty)
  if (panel.axis !== undefined) builder.axisLabel(panel.axis)
  if (panel.max !== undefined) builder.max(panel.max)
  for (const [name, colour] of Object.entries(panel.colours ?? {})) {
    builder.overrideByName(name, [{ id: 'color', value: fixed(colour).build() }])
  }
  return builder
}

/** Builds a panel with a bar per row, named by a text column and as long as a number column. */
export function ranking(panel: MayBeEmpty & { readonly thresholds?: Threshold[] }): BarGauge {
  const builder = common(new BarGauge(), panel)
    .withTarget(clickHouseQuery(panel.sql, 'table'))
    .reduceOptions(new ReduceDataOptionsBuilder().values(true).calcs(['lastNotNull']).fields(''))
    .orientation(VizOrientation.Horizontal)
    .displayMode(BarGaugeDisplayMode.Basic)
    .valueMode(BarGaugeValueMode.Text)
    .namePlacement(BarGaugeNamePlacement.Left)
    .showUnfilled(true)
    .minVizHeight(16)
    .maxVizHeight(28)
    .min(0)
    .colorScheme(coloursBy(FieldColorModeId.Thresholds))
    .thresholds(thresholds(panel.thresholds ?? steps('blue')))
    .text(new VizTextDisplayOptionsBuilder().valueSize(16))
  if (panel.empty !== undefined) builder.noValue(panel.empty)
  return builder
}

export interface Rows extends Panel {
  readonly columns: Readonly<Record<string, Column>>
  /** Hides the header row. */
  readonly headless?: true
}

/** Builds a table. Columns that are missing from `columns` keep ClickHouse's format. */
export function table(panel: Rows): Table {
  const builder = common(new Table(), panel)
    .withTarget(clickHouseQuery(panel.sql, 'table'))
    .cellHeight(TableCellHeight.Sm)
    .showHeader(!panel.headless)
    .filterable(true)
  for (const [name, column] of Object.entries(panel.columns)) builder.overrideByName(name, columnProperties(column))
  return builder
}

/** Builds a panel that shows the spans of a trace as Grafana's Explore does. */
export function trace(panel: Panel): PanelBuilder {
  return common(new PanelBuilder().type('traces'), panel).withTarget(clickHouseQuery(panel.sql, 'traces'))
}

interface CommonBuilder<Self> {
  title(title: string): Self
  description(description: string): Self
  datasource(datasource: typeof CHOSEN_SOURCE): Self
  span(columns: number): Self
  height(rows: number): Self
  unit(unit: string): Self
  decimals(decimals: number): Self
}

function common<Self extends CommonBuilder<Self>>(builder: Self, panel: Panel): Self {
  builder.title(panel.title).description(panel.description).datasource(CHOSEN_SOURCE)
  builder.span(panel.span).height(panel.height)
  if (panel.unit !== undefined) builder.unit(panel.unit)
  if (panel.decimals !== undefined) builder.decimals(panel.decimals)
  return builder
}
