export { createClient } from './client.js'
export { ClientError } from './error.js'
export { pagePath } from './page-path.js'
export type { PlanName } from './page-path.js'
export type {
  ExportLine,
  ComparisonJson,
  FacetsJson,
  FaultsJson,
  ImportedRecord,
  ImportReport,
  PlanJson,
  Problem,
  Readiness,
  RecordPage,
  SpanChangeJson,
  SpanJson,
  SpanReading,
  SqlAnswer,
  StepsJson,
  StorageReport,
  StructureJson,
  OutlineJson,
  VerdictJson,
  PlanView,
} from '../server/index.js'
export type { EventData, ListChange, PlanEvent, SpanChange, StructureChange } from './changes.js'
export type { Client, ComparedId, RecordFile } from './client.js'
export type { ToldProblem } from './error.js'
export type { FeedOptions } from './feed.js'
export type { ClientOptions } from './options.js'
export type {
  CompareQuery,
  EraseQuery,
  ExportQuery,
  FacetsQuery,
  FaultsQuery,
  ImportQuery,
  ListChangesQuery,
  ListQuery,
  PlaceQuery,
  RecordQuery,
  RecordTextQuery,
  ViewQuery,
  SqlQuery,
} from './query.js'
export type { RebuiltRecord, RecordId, RecordOptions } from './record.js'
export type { RequestOptions } from './transport.js'
