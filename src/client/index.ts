export { createClient } from './create-client.js'
export { ClientError } from './request-error.js'
export { pagePath } from './record-request.js'
export type { PlanName, RecordId } from './record-request.js'
export type {
  CheckLine,
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
  RemarkJson,
  SpanChangeJson,
  SpanJson,
  SpanReading,
  SqlAnswer,
  StepsJson,
  StorageReport,
  StructureJson,
  TotalsJson,
  OutlineJson,
  VerdictJson,
  PlanView,
} from '../wire/index.js'
export type { EventData, ListChange, PlanEvent, SpanChange, StructureChange } from './changes.js'
export type { Client, ComparedId, RecordFile } from './create-client.js'
export type { ServerProblem } from './request-error.js'
export type { FeedOptions } from './feed.js'
export type { ClientOptions, RequestOptions } from './transport.js'
export type {
  CheckBody,
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
  TotalsQuery,
  ViewQuery,
  SqlQuery,
} from './query-types.js'
export type { RebuiltRecord, RecordOptions } from './read-record.js'
