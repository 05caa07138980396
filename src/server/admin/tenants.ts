import type { MiddlewareHandler } from 'hono'
import process from 'node:process'

import type { Gate, Principal } from '../../access/index.js'
import { PlanspanError } from '../../error.js'
import { principalOf } from '../guard/index.js'
import { fail, requestEncoding, retrySeconds } from '../http/index.js'
import type { Tenant } from '../open-tenant.js'

/** The idle time after which a tenant is closed. An open tenant holds connections, timers and feeds. */
const IDLE_MS = 10 * 60_000
const LOOK_MS = 5_000

interface TenantsOptions {
  /** The server's default database, which is not a tenant. */
  readonly own: string
  readonly gate: Pick<Gate, 'databases' | 'isUsing'>
  readonly open: (database: string) => Promise<Tenant>
}

interface Known {
  readonly opened: Promise<Tenant>
  usedAt: number
}

/** The tenants of a server. Each is opened when its tokens are first used. Failures do not affect other tenants. */
export class Tenants {
  readonly #options: TenantsOptions
  readonly #known = new Map<string, Known>()
  /** The tenants whose failure was reported. A repeated failure is reported once. */
  readonly #failing = new Set<string>()
  readonly #timer: NodeJS.Timeout
  #isClosed = false

  constructor(options: TenantsOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#closeIdle(), LOOK_MS).unref()
  }

  /** Returns the tenant of a request; undefined for the default database. Throws if opening fails. */
  async of(principal: Principal | undefined): Promise<Tenant | undefined> {
    const database = principal?.database
    return database === undefined || database === this.#options.own ? undefined : this.#tenant(database)
  }

  /** Opens the tenants with tokens, one by one. This upgrades them, and stores the journals of crashed servers. */
  async openAll(): Promise<void> {
    for (const database of this.#options.gate.databases) {
      if (this.#isClosed) return
      if (database !== this.#options.own) await this.#tenant(database).catch(() => {})
    }
  }

  /** Stores all accepted requests. */
  async settle(): Promise<void> {
    await this.#forAll((tenant) => tenant.writer.close())
  }

  /** Closes all tenants, and opens no more. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#forAll((tenant) => tenant.close())
  }

  #tenant(database: string): Promise<Tenant> {
    const known = this.#known.get(database) ?? this.#open(database)
    known.usedAt = Date.now()
    return known.opened
  }

  #open(database: string): Known {
    if (this.#isClosed) throw new PlanspanError('store_unreachable', 'This server is stopping.')
    const known: Known = { opened: this.#options.open(database), usedAt: 0 }
    this.#known.set(database, known)
    known.opened.then(
      () => this.#failing.delete(database),
      (error: unknown) => this.#fail(database, error),
    )
    return known
  }

  #fail(database: string, error: unknown): void {
    // The next request retries.
    this.#known.delete(database)
    if (this.#failing.has(database)) return
    this.#failing.add(database)
    const why = error instanceof Error ? error.message : String(error)
    process.emitWarning(`The tenant ${database} cannot be served. ${why}`, 'PlanspanWarning')
  }

  /** Closes idle tenants, and tenants without tokens, whose database may be dropped. */
  #closeIdle(): void {
    const since = Date.now() - IDLE_MS
    const { gate } = this.#options
    const named = new Set(gate.databases)
    for (const [database, { opened, usedAt }] of this.#known) {
      if (named.has(database) && (usedAt > since || gate.isUsing(database))) continue
      this.#known.delete(database)
      opened.then((tenant) => tenant.close()).catch((error: Error) => process.emitWarning(error))
    }
  }

  async #forAll(task: (tenant: Tenant) => Promise<void>): Promise<void> {
    const opened = await Promise.allSettled([...this.#known.values()].map((known) => known.opened))
    await Promise.all(opened.flatMap((one) => (one.status === 'fulfilled' ? [task(one.value)] : [])))
  }
}

/** Passes all requests with another tenant's token to that tenant's app. */
export const toTenant =
  (tenants: Pick<Tenants, 'of'>): MiddlewareHandler =>
  async (c, next) => {
    try {
      const tenant = await tenants.of(principalOf(c))
      if (!tenant) return next()
      return await tenant.app.fetch(c.req.raw, c.env)
    } catch (error) {
      if (!(error instanceof PlanspanError) || !c.req.path.startsWith('/v1/')) throw error
      c.header('Retry-After', String(retrySeconds(error.code)))
      return fail(c, requestEncoding(c) ?? 'json', 503, error.message)
    }
  }
