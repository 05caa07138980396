export { Histogram, type HistogramValue } from './histogram.js'
export { IngestMeter, type Load } from './ingest-meter.js'
export type { PlansByState } from './store-metrics.js'
export { createStoreMetrics, type StoreMetrics } from './store-metrics.js'
