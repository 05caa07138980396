import { z } from 'zod'

import { DIALECT_NAMES } from '../mapping/index.js'
import { booleanParameter } from './query-parameters.js'
import { problemSchema } from './problem-schema.js'
import { json, type RouteTable, UNAVAILABLE } from './route-table.js'

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
