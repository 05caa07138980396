import { z } from 'zod'

/** The version of the backup format. */
export const FORMAT = 1

/** The first file of a backup: its format and the version of planspan. */
export const OVERVIEW = { path: 'overview.json', schema: overviewSchema() }
export type Overview = z.output<typeof OVERVIEW.schema>

/** The last file of a backup: the contents of all other files. */
export const CONTENTS = { path: 'contents.json', schema: contentsSchema() }
export type Contents = z.output<typeof CONTENTS.schema>

function overviewSchema() {
  return z.object({
    format: z.number(),
    planspan: z.string(),
    clickhouse: z.string(),
    madeAt: z.iso.datetime(),
    /** The applied versions of the schema, by database. */
    schemas: z.record(z.string(), z.array(z.object({ version: z.number(), checksum: z.string() })).readonly()),
    hasColdData: z.boolean(),
    files: z.number(),
    bytes: z.number(),
  })
}

function contentsSchema() {
  return z.object({
    /** The size and SHA-256 of each file, by path. */
    files: z.record(z.string(), z.object({ size: z.number(), sha256: z.string() })),
    /** The number of rows of each part. */
    tables: z.array(z.object({ database: z.string(), table: z.string(), parts: z.record(z.string(), z.number()) })),
  })
}
