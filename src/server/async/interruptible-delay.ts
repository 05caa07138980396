/** A delay that can be cut short. It does not keep the process alive. */
export class InterruptibleDelay {
  #finish: (() => void) | undefined

  /** Resolves after a number of milliseconds, or when it is interrupted. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#finish?.(), milliseconds)
      timer.unref()
      this.#finish = () => {
        clearTimeout(timer)
        this.#finish = undefined
        resolve()
      }
    })
  }

  /** Ends the current delay, if any. */
  interrupt(): void {
    this.#finish?.()
  }
}
