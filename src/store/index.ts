export type { ColdVolume } from './ageing/index.js'
export type { SpanDisk, SpanStorage } from './ageing/span-storage.js'
export type { AgentTracesOptions } from './agent-traces.js'
export { createStoreClient } from './client.js'
export type { StoreClientOptions } from './client.js'
export { migrateCluster } from './cluster/migrate-cluster.js'
export type { ClusterReport, MigrateClusterOptions } from './cluster/migrate-cluster.js'
export { FACETS } from './count-facets.js'
export type { FacetsOptions, PlanFacets } from './count-facets.js'
export type { ListedPlan, ListPlansOptions, PlanPage } from './list-plans.js'
export type { MigrateOptions } from './migrate.js'
export type { Erased, EraseOptions } from './erase/index.js'
export type { PlanFilters } from './plan-filters.js'
export { PLAN_ORDERS, PLAN_SORTS } from './plan-order.js'
export { PLAN_VIEWS } from './stream-view.js'
export type { PlanView } from './stream-view.js'
export type { PlanSummary } from './plan-summary.js'
export type { ModelPrice, PriceList } from './price-models.js'
export type { QueryTarget } from './query.js'
export type { SpanReader } from './reader.js'
export type { SelectedTrace, SelectTraceOptions } from './select-trace.js'
export { createSelector } from './selector.js'
export type { Selection } from './first-rows.js'
export type { SelectBounds, Selector, SelectTask } from './selector.js'
export { schemaDdl } from './schema-ddl.js'
export type { SchemaDdlOptions } from './schema-ddl.js'
export type { SpanLayout } from './span-layout.js'
export { grantStatement } from './rights.js'
export { createStore } from './store.js'
export type { Store, StoreHealth, StoreOptions } from './store.js'
export type { TraceKey, TraceKeyKind } from './trace-key.js'
export type { TraceProgress, TraceProgressOptions } from './trace-progress.js'
export type { Upkeep } from './upkeep/index.js'
export { dropDatabase, isPlanspanDatabase, listDatabases, readDrifts } from './tenants/index.js'
export type { DatabaseDrift, PlanspanDatabase } from './tenants/index.js'
export { unixNanoNow } from './unix-nano-now.js'
export type {
  FinalSpan,
  FoundTrace,
  Operation,
  SearchColumn,
  TraceQuery,
  TraceReader,
  TraceSummary,
  UnsafeAction,
} from './traces/index.js'
export * from './changes/index.js'
export { readPrices } from './read-prices.js'
export type { PlanRowValues, ReviewRowValues, SpanRowValues, StepRowValues } from './row-tables/index.js'
