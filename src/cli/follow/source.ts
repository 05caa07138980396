import type { PlanspanError } from '../../error.js'
import type { EncodeOptions } from '../../mapping/index.js'
import type { Importer } from './importer.js'
import type { Report } from './report.js'
import type { StateFile } from './state-file.js'

/** The shared context of all sources. */
export interface FollowContext {
  readonly importer: Importer
  readonly encodeOptions: EncodeOptions
  readonly report: Report
  readonly stateFile: StateFile
  readonly signal: AbortSignal
  /** Whether to look once only, and treat the source as complete. */
  readonly once: boolean
  /** The polling interval, milliseconds. */
  readonly interval: number
  readonly checkpoint: Checkpoint
}

/** A followed source. */
export interface FollowedSource {
  /** Imports new records. Resolves to true if the source is complete. Throws `SourceAway`. */
  look(): Promise<boolean>
}

/** Thrown if the source is unreachable at the moment. */
export class SourceAway extends Error {
  readonly reason: PlanspanError

  constructor(reason: PlanspanError) {
    super(reason.message)
    this.reason = reason
  }
}

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
