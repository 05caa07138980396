import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog'

/** The id of Grafana's ClickHouse plugin. */
export const PLUGIN = 'grafana-clickhouse-datasource'

/** The data source that the dashboard's own variable chooses. */
export const CHOSEN_SOURCE = { type: PLUGIN, uid: '${datasource}' } as const

/** How the plugin hands the rows to the panel: a number in its query model, and the word beside it. */
const FORMATS = { timeseries: 0, table: 1, traces: 3 } as const

export type Format = keyof typeof FORMATS

/** A query in SQL as the plugin's editor saves it. */
export interface ClickHouseTarget extends Dataquery {
  readonly refId: string
  readonly datasource: typeof CHOSEN_SOURCE
  readonly editorType: 'sql'
  readonly rawSql: string
  readonly format: number
  readonly queryType: Format
  readonly pluginVersion: string
}

/** Builds one: `_implementsDataqueryVariant` is what the SDK knows its queries by. */
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
