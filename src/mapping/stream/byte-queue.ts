/** A byte queue in one buffer that grows as needed. */
export class ByteQueue {
  #memory = new Uint8Array(0)
  #start = 0
  #end = 0

  get length(): number {
    return this.#end - this.#start
  }

  /** The queued bytes. Valid until the next push. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(this.#start, this.#end)
  }

  push(chunk: Uint8Array): void {
    const length = this.length
    if (this.#end + chunk.length > this.#memory.length) {
      const isRoomy = length + chunk.length <= this.#memory.length / 2
      const memory = isRoomy ? this.#memory : new Uint8Array((length + chunk.length) * 2)
      memory.set(this.bytes)
      this.#memory = memory
      this.#start = 0
      this.#end = length
    }
    this.#memory.set(chunk, this.#end)
    this.#end += chunk.length
  }

  /** Removes the first bytes and returns a copy. */
  take(length: number): Uint8Array {
    const taken = this.#memory.slice(this.#start, this.#start + length)
    this.#start += length
    return taken
  }
}
