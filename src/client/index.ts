export { createClient } from './client.js'
export { ClientError } from './error.js'
export type {
  ExportLine,
  FacetsJson,
  ImportedRecord,
  ImportReport,
  PlanJson,
  Problem,
  Readiness,
  RecordPage,
  SpanJson,
  SpanReading,
  StorageReport,
  StructureJson,
} from '../server/index.js'
export type { EventData, ListChange, PlanEvent, SpanChange } from './changes.js'
export type { Client, RecordFile } from './client.js'
export type { ToldProblem } from './error.js'
export type { FeedOptions } from './feed.js'
export type { ClientOptions } from './options.js'
export type {
  ExportQuery,
  FacetsQuery,
  ImportQuery,
  ListChangesQuery,
  ListQuery,
  PlaceQuery,
  RecordQuery,
} from './query.js'
export type { RebuiltRecord, RecordId, RecordOptions } from './record.js'
export type { RequestOptions } from './transport.js'
