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

/** Which ClickHouse data source the dashboard reads. */
export function dataSource(): DatasourceVariableBuilder {
  return new DatasourceVariableBuilder('datasource').label('Data source').type(PLUGIN)
}

/** A filter of several values, "All" at first. Conditions on it stand in `$__conditionalAll(…, $name)`. */
export function filter(name: string, label: string, sql: string): QueryVariableBuilder {
  return query(name, label, sql)
    .multi(true)
    .includeAll(true)
    .current({ text: ['All'], value: ['$__all'] })
    .refresh(VariableRefresh.OnTimeRangeChanged)
}

/** A filter of several out of a list of values that never changes, "All" at first. */
export function listed(name: string, label: string, values: readonly string[]): CustomVariableBuilder {
  return new CustomVariableBuilder(name)
    .label(label)
    .values(values.join(','))
    .multi(true)
    .includeAll(true)
    .current({ text: ['All'], value: ['$__all'] })
}

/** One value out of those that the query finds, or any other that a link or a person puts in. */
export function choice(name: string, label: string, sql: string): QueryVariableBuilder {
  return query(name, label, sql)
    .multi(false)
    .includeAll(false)
    .allowCustomValue(true)
    .refresh(VariableRefresh.OnDashboardLoad)
}

/** A value that follows from another variable: out of sight, and out of the URL, where an old one could stay. */
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
