import { randomBytes } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'

/** The size of the reserve: enough to insert and index what the journals contain. */
const RESERVE_BYTES = 32 << 20
const PIECE_BYTES = 1 << 20

/**
 * A file that keeps space for spans that are acknowledged but not in the tables when the disk fills up. Its content is
 * random, because file systems may compress other files to nothing.
 */
export class Reserve {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** The bytes that are not reserved at present. */
  get missing(): number {
    return RESERVE_BYTES - (statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0)
  }

  /** Frees the space. Returns whether there was any to free. */
  release(): boolean {
    const isReserved = this.missing < RESERVE_BYTES
    rmSync(this.#path, { force: true })
    return isReserved
  }

  /** Reserves the space, or none of it if the disk is full. */
  async restore(): Promise<void> {
    if (this.missing === 0) return
    try {
      const piece = randomBytes(PIECE_BYTES)
      const file = await open(this.#path, 'w', 0o600)
      try {
        for (let at = 0; at < RESERVE_BYTES; at += PIECE_BYTES) await file.write(piece, 0, PIECE_BYTES, at)
      } finally {
        await file.close()
      }
    } catch {
      await rm(this.#path, { force: true }).catch(() => {})
    }
  }
}
