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

/** What every panel says of itself. */
export interface Panel {
  readonly title: string
  readonly description: string
  readonly sql: string
  /** Columns of the grid's 24. */
  readonly span: number
  /** Rows of 30 pixels. */
  readonly height: number
  readonly unit?: string
  readonly decimals?: number
}

/** A panel that stays empty when all is well, or while something is not set up. */
interface MayBeEmpty extends Panel {
  /** Says so. @default Grafana's "No data" */
  readonly empty?: string
}

// A point for each day of a month, or each six hours of a week: bars that can be told apart.
const BARS = 30

// Points that lie further apart are not joined.
const DAY_MS = 86_400_000

/** The columns of one row, each large: `columns` says how. Text columns are shown, too. */
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
 * Series over time: of each value column, of each value of a text column. `colours` maps a series' name to its colour.
 */
export interface Series extends MayBeEmpty {
  readonly colours?: Readonly<Record<string, string>>
  /** What is counted, beside the axis. */
  readonly axis?: string
  readonly max?: number
}

/** Stacked bars over time, for counts and sums. */
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
  /** Draws powers of ten at equal distances, for values from milliseconds to days. */
  readonly logarithmic?: true
}

/** Lines over time, for latencies, rates and scores. */
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

/** A bar for each row: a text column names it, a number is its length. */
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
  /** Draws no line with the columns' names. */
  readonly headless?: true
}

/** Rows, each column as `columns` says; a column that is not named there stays as ClickHouse prints it. */
export function table(panel: Rows): Table {
  const builder = common(new Table(), panel)
    .withTarget(clickHouseQuery(panel.sql, 'table'))
    .cellHeight(TableCellHeight.Sm)
    .showHeader(!panel.headless)
    .filterable(true)
  for (const [name, column] of Object.entries(panel.columns)) builder.overrideByName(name, columnProperties(column))
  return builder
}

/** The spans of one trace, drawn as Grafana's Explore draws them. */
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
