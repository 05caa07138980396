import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog'

/** The id of Grafana's ClickHouse plugin. */
export const PLUGIN = 'grafana-clickhouse-datasource'

/** The data source that the dashboard's variable selects. */
export const CHOSEN_SOURCE = { type: PLUGIN, uid: '${datasource}' } as const

/** The formats in which the plugin passes rows to a panel, with their numbers in its query model. */
const FORMATS = { timeseries: 0, table: 1, traces: 3 } as const

export type Format = keyof typeof FORMATS

/** An SQL query as saved by the plugin's editor. */
export interface ClickHouseTarget extends Dataquery {
  readonly refId: string
  readonly datasource: typeof CHOSEN_SOURCE
  readonly editorType: 'sql'
  readonly rawSql: string
  readonly format: number
  readonly queryType: Format
  readonly pluginVersion: string
}

/** Returns a builder of a query. The SDK recognizes queries by `_implementsDataqueryVariant`. */
export function clickHouseQuery(rawSql: string, format: Format, refId = 'A'): Builder<ClickHouseTarget> {
  return {
    build: () => ({
      refId,
      datasource: CHOSEN_SOURCE,
      editorType: 'sql',
      rawSql,
      format: FORMATS[format],
      queryType: format,
      pluginVersion: '4.0.0',
      _implementsDataqueryVariant() {},
    }),
  }
}
