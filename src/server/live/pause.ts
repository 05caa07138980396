/** A pause that can be cut short. A program that has nothing else to do may end during it. */
export class Pause {
  #end: (() => void) | undefined

  /** Resolves after so many milliseconds, or when the pause is ended. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end?.(), milliseconds)
      timer.unref()
      this.#end = () => {
        clearTimeout(timer)
        this.#end = undefined
        resolve()
      }
    })
  }

  /** Ends the pause that is under way, if one is. */
  end(): void {
    this.#end?.()
  }
}
