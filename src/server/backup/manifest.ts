import { z } from 'zod'

/** The form of backups. A later planspan that writes another one raises it. */
export const FORMAT = 1

/** The first file of a backup: its contents and the planspan that wrote it. */
export const OVERVIEW = { path: 'overview.json', schema: overviewSchema() }
export type Overview = z.output<typeof OVERVIEW.schema>

/** The last file of a backup: what all the others hold. */
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
    /** By path: size and SHA-256. */
    files: z.record(z.string(), z.object({ size: z.number(), sha256: z.string() })),
    /** Rows by part. */
    tables: z.array(z.object({ database: z.string(), table: z.string(), parts: z.record(z.string(), z.number()) })),
  })
}
