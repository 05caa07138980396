import { PlanspanError } from '../../error.js'

export interface RoomOptions {
  /** The bytes that all clients may hold at once. */
  readonly total: number
  /** The bytes that one client may hold at once. @default half of the total */
  readonly share?: number
  /** A request that is longer on its way yields its room to others that need it, milliseconds. @default 5_000 */
  readonly patienceMs?: number
}

/** Memory for requests, shared between clients. */
export class Room {
  readonly #share: number
  readonly #patienceMs: number
  readonly #heldBy = new Map<string, number>()
  /** What is still on its way, the oldest first. */
  readonly #arriving = new Set<Holding>()
  #free: number

  constructor({ total, share = total / 2, patienceMs = 5_000 }: RoomOptions) {
    this.#free = total
    this.#share = share
    this.#patienceMs = patienceMs
  }

  /** Opens the account of one request of a client, with no memory reserved yet. */
  open(client: string): Holding {
    return new Holding(this, client)
  }

  /** Takes bytes for a request. Throws `store_busy` where no slower request can yield as many. */
  take(holding: Holding, bytes: number): void {
    const { client } = holding
    for (;;) {
      const hasShare = this.#heldOf(client) + bytes <= this.#share
      if (hasShare && bytes <= this.#free) break
      const oldest = this.#oldest(hasShare ? undefined : client)
      if (!oldest || oldest === holding) throw noRoom()
      oldest.yield()
    }
    this.#move(client, bytes)
  }

  give(client: string, bytes: number): void {
    this.#move(client, -bytes)
  }

  arrives(holding: Holding): void {
    this.#arriving.add(holding)
  }

  hasArrived(holding: Holding): void {
    this.#arriving.delete(holding)
  }

  /** The request that is on its way for longest, if that is too long; of one client where it is given. */
  #oldest(client: string | undefined): Holding | undefined {
    const latest = performance.now() - this.#patienceMs
    for (const holding of this.#arriving) {
      if (holding.begun > latest) return undefined
      if (client === undefined || holding.client === client) return holding
    }
    return undefined
  }

  #heldOf(client: string): number {
    return this.#heldBy.get(client) ?? 0
  }

  #move(client: string, bytes: number): void {
    const held = this.#heldOf(client) + bytes
    if (held === 0) this.#heldBy.delete(client)
    else this.#heldBy.set(client, held)
    this.#free -= bytes
  }
}

/** The room that one request takes. */
export class Holding {
  readonly client: string
  readonly begun = performance.now()
  readonly #room: Room
  #held = 0
  #onYield: (() => void) | undefined

  constructor(room: Room, client: string) {
    this.#room = room
    this.client = client
  }

  /** Reserves memory for more bytes. Throws `store_busy` when no memory is left. */
  take(bytes: number): void {
    this.#room.take(this, bytes)
    this.#held += bytes
  }

  /** From now on, until it has arrived, the request may have to yield its room. */
  arrives(onYield: () => void): void {
    this.#onYield = onYield
    this.#room.arrives(this)
  }

  hasArrived(): void {
    this.#onYield = undefined
    this.#room.hasArrived(this)
  }

  /** Gives its room to another request. */
  yield(): void {
    const end = this.#onYield
    this.release()
    end?.()
  }

  /** Gives all of its room back. */
  release(): void {
    this.hasArrived()
    this.#room.give(this.client, this.#held)
    this.#held = 0
  }
}

/** What is said where there is no room. */
export const noRoom = (): PlanspanError =>
  new PlanspanError('store_busy', 'Too many large requests are under way. Send this one again later.')
