import type { Importer } from './importer.js'
import type { StateFile } from './state-file.js'

const EVERY_MS = 1000

/** Remembers how far a source is imported: only what is stored, so that what is not is found again. */
export class Checkpoint {
  readonly #importer: Importer
  readonly #stateFile: StateFile
  #savedAt = performance.now()

  constructor(importer: Importer, stateFile: StateFile) {
    this.#importer = importer
    this.#stateFile = stateFile
  }

  /** Throws what storing throws; then nothing is remembered. */
  async save(): Promise<void> {
    await this.#importer.flush()
    await this.#stateFile.save()
    this.#savedAt = performance.now()
  }

  /** Saves if that was not done a moment ago, in the midst of a long look; `prepare` brings the state up to date. */
  async nowAndThen(prepare?: () => void): Promise<void> {
    if (performance.now() - this.#savedAt < EVERY_MS) return
    prepare?.()
    await this.save()
  }
}
