export { CHECK_BODY, CHECK_QUERY, checkLineSchema } from './check-routes.js'
export type { CheckLine } from './check-routes.js'
export { COMPARE_QUERY, comparisonSchema, DEFAULT_ROWS } from './comparison-routes.js'
export type { ComparedPlan, ComparisonJson } from './comparison-routes.js'
export {
  EXPORT_QUERY,
  exportLineSchema,
  NDJSON,
  PARQUET,
  VIEW_QUERY,
  IMPORT_QUERY,
  importReportSchema,
  refusedImportSchema,
} from './transfer-routes.js'
export type { ExportLine, ImportedRecord, ImportReport } from './transfer-routes.js'
export { faultsSchema } from './faults-schema.js'
export type { FaultsJson } from './faults-schema.js'
export { healthSchema, SESSION_BODY, sessionSchema, storageSchema, traceReadingSchema } from './admin-routes.js'
export type { CertificateReport, IndexerState, Readiness, StorageReport, TraceReading } from './admin-routes.js'
export {
  FACETS_QUERY,
  facetsSchema,
  LIST_EVENTS_QUERY,
  LIST_QUERY,
  recordPageSchema,
  SQL_BODY,
  sqlAnswerSchema,
  MAX_SET_PLANS,
  SETS_QUERY,
  setsSchema,
  TOTALS_QUERY,
  totalsSchema,
} from './list-routes.js'
export type { FacetsJson, RecordPage, SqlAnswer, SetsJson, TotalsJson } from './list-routes.js'
export { durationParameter, FILTERS } from './query-parameters.js'
export { elapsedMs } from './elapsed/index.js'
export { planSchema, MAX_MISSING, verdictSchema } from './plan-schema.js'
export type { LeftOutJson, PlanJson, RemarkJson, VerdictJson } from './plan-schema.js'
export { problemSchema } from './route-table.js'
export type { Problem, Answer, Need, Route } from './route-table.js'
export {
  ERASE_CHOICE,
  FAULTS_CHOICE,
  MATCHES_CHOICE,
  PLACE_CHOICE,
  RECORD_CHOICE,
  SPAN_CHOICE,
  SPAN_EVENTS_CHOICE,
} from './record-routes.js'
export { GRPC_SCOPES, routeList, routeNamed, ROUTES } from './all-routes.js'
export type { AnswerOf, RouteName } from './all-routes.js'
export { spanListSchema, spanMatchesSchema, spanSchema } from './span-schema.js'
export type { SpanJson, SpanList, SpanMatches } from './span-schema.js'
export {
  stepsSchema,
  ABOUT,
  JUDGEMENTS,
  OUTCOME,
  outlineSchema,
  spanChangeSchema,
  structureSchema,
} from './structure-schema.js'
export type { StepsJson, OutlineJson, SpanChangeJson, StructureJson } from './structure-schema.js'
export { cutText } from './texts.js'
export type { SpanReading } from '../mapping/index.js'
export type { RECORD_HEADERS } from '../semconv/index.js'
export type { PlanView } from '../store/index.js'
