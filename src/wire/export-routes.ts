import { z } from 'zod'

import { WRITTEN_FORMATS } from '../mapping/index.js'
import { booleanParameter, FILTERS } from './query-parameters.js'
import { PER } from './record-routes.js'
import { FOUND, MISSING, type RouteTable } from './route-table.js'

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
