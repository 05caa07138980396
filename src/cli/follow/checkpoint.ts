import type { Importer } from './importer.js'
import type { StateFile } from './state-file.js'

const EVERY_MS = 1000

/** Saves how far a source is imported. Only stored records count, so that a restart finds the others again. */
export class Checkpoint {
  readonly #importer: Importer
  readonly #stateFile: StateFile
  #savedAt = performance.now()

  constructor(importer: Importer, stateFile: StateFile) {
    this.#importer = importer
    this.#stateFile = stateFile
  }

  /** Stores what is pending, then saves the state. Throws what storing throws; then the state is not saved. */
  async save(): Promise<void> {
    await this.#importer.flush()
    await this.#stateFile.save()
    this.#savedAt = performance.now()
  }

  /** Saves in the middle of a long look, at most once a second; `prepare` updates the state. */
  async nowAndThen(prepare?: () => void): Promise<void> {
    if (performance.now() - this.#savedAt < EVERY_MS) return
    prepare?.()
    await this.save()
  }
}
