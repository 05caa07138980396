export { IngestMeter } from './ingest-meter.js'
export type { HistogramValue, Load } from './ingest-meter.js'
export type { PlansByState } from './store-metrics.js'
export { createStoreMetrics, type StoreMetrics } from './store-metrics.js'
