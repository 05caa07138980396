import type { PlanspanError } from '../../error.js'
import type { EncodeOptions } from '../../mapping/index.js'
import type { Checkpoint } from './checkpoint.js'
import type { Importer } from './importer.js'
import type { Report } from './report.js'
import type { StateFile } from './state-file.js'

/** What every source works with. */
export interface FollowContext {
  readonly importer: Importer
  readonly encodeOptions: EncodeOptions
  readonly report: Report
  readonly stateFile: StateFile
  readonly signal: AbortSignal
  /** Whether to look once only: what is there is all that is to come. */
  readonly once: boolean
  /** The pause between two looks, milliseconds. */
  readonly interval: number
  readonly checkpoint: Checkpoint
}

/** What is followed. */
export interface FollowedSource {
  /** Imports what is new. Resolves to true if nothing more will come. Throws `SourceAway`. */
  look(): Promise<boolean>
}

/** Thrown where the source cannot be asked now. */
export class SourceAway extends Error {
  readonly reason: PlanspanError

  constructor(reason: PlanspanError) {
    super(reason.message)
    this.reason = reason
  }
}
