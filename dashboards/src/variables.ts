import type { Builder } from '@grafana/grafana-foundation-sdk/cog'
import {
  CustomVariableBuilder,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  VariableHide,
  type VariableModel,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard'

import { CHOSEN_SOURCE, PLUGIN } from './clickhouse-query.js'

/** Returns the variable that selects the ClickHouse data source. */
export function dataSource(): DatasourceVariableBuilder {
  return new DatasourceVariableBuilder('datasource').label('Data source').type(PLUGIN)
}

/** Returns a filter with multiple values, initially "All". Queries use it in `$__conditionalAll(…, $name)`. */
export function filter(name: string, label: string, sql: string): QueryVariableBuilder {
  return query(name, label, sql)
    .multi(true)
    .includeAll(true)
    .current({ text: ['All'], value: ['$__all'] })
    .refresh(VariableRefresh.OnTimeRangeChanged)
}

/** Returns a filter with multiple values of a fixed list, initially "All". */
export function listed(name: string, label: string, values: readonly string[]): CustomVariableBuilder {
  return new CustomVariableBuilder(name)
    .label(label)
    .values(values.join(','))
    .multi(true)
    .includeAll(true)
    .current({ text: ['All'], value: ['$__all'] })
}

/** Returns a variable with one value: a result of the query, or a value from a link or from the user. */
export function choice(name: string, label: string, sql: string): QueryVariableBuilder {
  return query(name, label, sql)
    .multi(false)
    .includeAll(false)
    .allowCustomValue(true)
    .refresh(VariableRefresh.OnDashboardLoad)
}

/** Returns a hidden variable derived from another variable. It is not in the URL, where an old value could remain. */
export function derived(name: string, sql: string): Builder<VariableModel> {
  const builder = choice(name, name, sql).hide(VariableHide.HideVariable).refresh(VariableRefresh.OnTimeRangeChanged)
  return { build: () => ({ ...builder.build(), skipUrlSync: true }) }
}

function query(name: string, label: string, sql: string): QueryVariableBuilder {
  return new QueryVariableBuilder(name)
    .label(label)
    .datasource(CHOSEN_SOURCE)
    .query({ editorType: 'sql', rawSql: sql, refId: name })
    .definition(sql)
}
