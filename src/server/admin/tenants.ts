import process from 'node:process'

import type { Gate, Principal } from '../../access/index.js'
import { PlanspanError } from '../../error.js'
import type { Tenant } from '../open-tenant.js'

/** A tenant whose tokens are not used for so long is closed: an open one keeps connections, timers and feeds. */
const IDLE_MS = 10 * 60_000
const LOOK_MS = 5_000

export interface TenantsOptions {
  /** The server's own database, which is no tenant here. */
  readonly own: string
  readonly gate: Pick<Gate, 'databases' | 'isUsing'>
  readonly open: (database: string) => Promise<Tenant>
}

interface Known {
  readonly opened: Promise<Tenant>
  usedAt: number
}

/** The tenants of a server, each opened when its tokens are first used. One that fails does so for itself alone. */
export class Tenants {
  readonly #options: TenantsOptions
  readonly #known = new Map<string, Known>()
  /** Tenants whose failure was reported. A repeated failure is reported once. */
  readonly #failing = new Set<string>()
  readonly #timer: NodeJS.Timeout
  #isClosed = false

  constructor(options: TenantsOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#closeIdle(), LOOK_MS).unref()
  }

  /** The tenant of a request, undefined for the server's own. Throws what opening it throws. */
  async of(principal: Principal | undefined): Promise<Tenant | undefined> {
    const database = principal?.database
    return database === undefined || database === this.#options.own ? undefined : this.#tenant(database)
  }

  /** Opens those that have a token, one by one: that upgrades them, and stores what a server that died has left. */
  async openAll(): Promise<void> {
    for (const database of this.#options.gate.databases) {
      if (this.#isClosed) return
      if (database !== this.#options.own) await this.#tenant(database).catch(() => {})
    }
  }

  /** Stores all that was accepted. */
  async settle(): Promise<void> {
    await this.#forAll((tenant) => tenant.writer.close())
  }

  /** Opens no more, and closes all. */
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
    // The next request tries again.
    this.#known.delete(database)
    if (this.#failing.has(database)) return
    this.#failing.add(database)
    const why = error instanceof Error ? error.message : String(error)
    process.emitWarning(`The tenant ${database} cannot be served. ${why}`, 'PlanspanWarning')
  }

  /** Closes the tenants that are idle, and those whose tokens are gone: their database may be dropped. */
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
