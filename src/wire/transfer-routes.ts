import { z } from 'zod'

import { WRITTEN_FORMATS, DIALECT_NAMES } from '../mapping/index.js'
import { booleanParameter, FILTERS } from './query-parameters.js'
import { PER } from './record-routes.js'
import { FOUND, MISSING, problemSchema, json, UNAVAILABLE, type RouteTable } from './route-table.js'
import { leftOutSchema } from './plan-schema.js'

/** The media type of newline-delimited JSON. */
export const NDJSON = 'application/x-ndjson'

/** A line of `GET /api/export`: a record, or the reason why it could not be written. */
export const exportLineSchema = z
  .object({
    cursor: z.string().describe('The cursor with which an export continues after this record.'),
    planId: z.string(),
    traceId: z.string(),
    dialect: z.string().exactOptional().describe('The dialect of the written record.'),
    state: z.string().exactOptional(),
    verdict: z.string().exactOptional(),
    missing: z.number().int().exactOptional().describe('The number of missing items; absent if nothing is missing.'),
    leftOut: z.array(leftOutSchema).exactOptional().describe('What a converted record does not hold, by kind.'),
    record: z.unknown().optional().describe('The record; only in dialects whose records are a single JSON document.'),
    text: z
      .string()
      .exactOptional()
      .describe('The exact text of the record, instead of `record`; in other dialects, and with exact=true.'),
    problem: z
      .object({ code: z.string(), detail: z.string() })
      .exactOptional()
      .describe('The reason why the line contains no record.'),
  })
  .meta({ id: 'ExportLine' })

/** A line of an export: a record with its verdict, or the reason why the record is missing. */
export type ExportLine = z.output<typeof exportLineSchema>

/** The parameters of `GET /api/export`. */
export const EXPORT_QUERY = z.strictObject({
  ...FILTERS,
  format: z
    .enum(WRITTEN_FORMATS)
    .exactOptional()
    .describe('The format of all records; by default imports keep their own, and other plans are plan-execution.'),
  per: PER,
  incomplete: booleanParameter
    .exactOptional()
    .describe('With format=chat, includes redacted and partial records, which are skipped by default.'),
  exact: booleanParameter.exactOptional().describe('Whether each record is written as its exact text, in a string.'),
  cursor: z.string().exactOptional().describe('The cursor of the line after which the export continues.'),
})

/** The parameters of `GET /api/views/{view}`. */
export const VIEW_QUERY = z.strictObject(FILTERS)

/** The media type of Parquet. */
export const PARQUET = 'application/vnd.apache.parquet'

export const EXPORT_ROUTES = {
  'GET /api/export': {
    scope: 'read',
    client: ['export', 'exportBytes'],
    summary:
      'Exports the records of a list as lines of JSON, newest first. If the export fails, the connection closes before the end of the response.',
    query: EXPORT_QUERY,
    answers: { 200: { description: 'One ExportLine per record.', type: NDJSON }, ...FOUND },
  },
  'GET /api/views/{view}': {
    scope: 'read',
    client: ['view'],
    summary: 'Returns the rows of an SQL view for the plans of a list, as a Parquet file.',
    query: VIEW_QUERY,
    answers: { 200: { description: 'The file.', type: PARQUET }, ...FOUND, 404: MISSING },
  },
} as const satisfies RouteTable

/** The parameters of `POST /api/records`. */
export const IMPORT_QUERY = z.strictObject({
  format: z
    .enum(['auto', ...DIALECT_NAMES])
    .exactOptional()
    .describe('The dialect of the records, auto by default.'),
  source: z.string().exactOptional().describe('An arbitrary name for the origin of the records.'),
  timeZone: z.string().exactOptional().describe('The time zone of local times, such as Europe/Lisbon.'),
  redact: booleanParameter.exactOptional().describe('Whether secrets are masked.'),
  keepGoing: booleanParameter
    .exactOptional()
    .describe('Whether valid records are stored if other records are invalid.'),
})

/** A stored record. */
const importedSchema = z.object({
  planId: z.string(),
  traceId: z.string(),
  dialect: z.string(),
  key: z.string().describe('The key that all generations of the record share.'),
  spans: z.number().int(),
})

/** An imported record. */
export type ImportedRecord = z.output<typeof importedSchema>

/** A rejected record. */
const refusedSchema = z.object({
  line: z.number().int().describe('The line of the file on which the record starts, from 1.'),
  code: z.string(),
  detail: z.string(),
})

/** The response of `POST /api/records`. */
export const importReportSchema = z.object({
  records: z.array(importedSchema).describe('The stored records.'),
  refused: z.array(refusedSchema).describe('The first 1000 rejected records.'),
  refusedCount: z.number().int().describe('The number of rejected records; a lower bound if nothing was stored.'),
})

/** The outcome of an import: the stored and the rejected records. */
export type ImportReport = z.output<typeof importReportSchema>

/** The response if nothing was stored. */
export const refusedImportSchema = problemSchema.extend(importReportSchema.shape)

const refusal = z.union([refusedImportSchema, problemSchema])

export const IMPORT_ROUTES = {
  'POST /api/records': {
    scope: 'ingest',
    client: ['import'],
    summary: 'Imports a file of records of up to 64 MB.',
    query: IMPORT_QUERY,
    body: 'A file of records.',
    answers: {
      200: json('All records are stored.', importReportSchema),
      207: json('Some records are stored, others are rejected.', importReportSchema),
      400: json('Nothing is stored: parameters or records are invalid.', refusal),
      408: json('Nothing is stored: the file arrived too slowly.', refusal),
      413: json('Nothing is stored: the file is too large.', refusal),
      503: UNAVAILABLE,
    },
  },
} as const satisfies RouteTable
