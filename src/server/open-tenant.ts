import type { Hono } from 'hono'

import { PlanspanError } from '../error.js'
import { isPlanspanDatabase, type TraceReader } from '../store/index.js'
import type { SpanWriter } from '../store/ingest/index.js'
import { type AppOptions, assembleApp } from './app.js'
import type { WholeIntake } from './intake/index.js'
import { openStore, type OpenStoreOptions } from './open-store/index.js'
import type { Shared } from './shared.js'

/** A served database, with its own app and connections. */
export interface Tenant {
  readonly app: Hono
  readonly intake: WholeIntake
  readonly traces: TraceReader
  readonly writer: Pick<SpanWriter, 'close'>
  /** Ends its streams, stores what was accepted, and closes its connections. Idempotent. */
  close(): Promise<void>
}

export interface OpenTenantOptions {
  readonly store: OpenStoreOptions & { readonly database: string }
  readonly app: Pick<AppOptions, 'outage' | 'redact' | 'jaegerUrl' | 'log'>
  readonly shared: Shared
  /** Ends its streams. */
  readonly stop: AbortSignal
}

/** Opens a tenant's existing database. Throws `schema_mismatch` if it is missing, and the errors of openStore. */
export async function openTenant({ store, app: about, shared, stop }: OpenTenantOptions): Promise<Tenant> {
  const { clickhouseUrl: url, database } = store
  // Prevents openStore from creating the database of a mistaken token.
  if (!(await isPlanspanDatabase({ url, database }))) throw notThere(database)
  const opened = await openStore(store)
  const idle = new AbortController()
  const { log = () => {} } = about
  const { app, intake } = assembleApp(
    {
      ...opened,
      ...about,
      log: (entry) => log({ ...entry, fields: { ...entry.fields, database } }),
      stop: AbortSignal.any([stop, idle.signal]),
    },
    { shared },
  )
  return {
    app,
    intake,
    traces: opened.store.traces,
    writer: opened.writer,
    close() {
      idle.abort()
      return opened.close()
    },
  }
}

const notThere = (database: string): PlanspanError =>
  new PlanspanError(
    'schema_mismatch',
    `The token is for the database ${database}, which does not exist or is not planspan's. ` +
      `\`planspan tenant create ${database}\` creates it.`,
  )
