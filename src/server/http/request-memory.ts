import { PlanspanError } from '../../error.js'

export interface RoomOptions {
  /** The bytes that all clients may hold at once. */
  readonly total: number
  /** The bytes that one client may hold at once. @default half of the total */
  readonly share?: number
  /** The time after which a request that is still arriving yields its memory to others, milliseconds. @default 5_000 */
  readonly patienceMs?: number
}

/** Memory for requests, shared between clients. */
export class Room {
  readonly #share: number
  readonly #patienceMs: number
  readonly #heldBy = new Map<string, number>()
  /** The requests that are still arriving, oldest first. */
  readonly #arriving = new Set<Holding>()
  #free: number

  constructor({ total, share = total / 2, patienceMs = 5_000 }: RoomOptions) {
    this.#free = total
    this.#share = share
    this.#patienceMs = patienceMs
  }

  /** Opens an empty reservation for a request of a client. */
  open(client: string): Holding {
    return new Holding(this, client)
  }

  /** Reserves bytes for a request. Throws `store_busy` if no slower request can yield enough memory. */
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

  /** Returns the request that has been arriving for longest, if for too long; optionally only of one client. */
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

/** The memory that is reserved for a request. */
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

  /** Reserves more bytes. Throws `store_busy` if the memory is exhausted. */
  take(bytes: number): void {
    this.#room.take(this, bytes)
    this.#held += bytes
  }

  /** Marks the request as arriving: until it has arrived, it may have to yield its memory. */
  arrives(onYield: () => void): void {
    this.#onYield = onYield
    this.#room.arrives(this)
  }

  hasArrived(): void {
    this.#onYield = undefined
    this.#room.hasArrived(this)
  }

  /** Yields the memory to another request. */
  yield(): void {
    const end = this.#onYield
    this.release()
    end?.()
  }

  /** Releases all memory. */
  release(): void {
    this.hasArrived()
    this.#room.give(this.client, this.#held)
    this.#held = 0
  }
}

/** The error if the memory is exhausted. */
export const noRoom = (): PlanspanError =>
  new PlanspanError('store_busy', 'Too many large requests are under way. Send this one again later.')
