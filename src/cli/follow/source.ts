import type { PlanspanError } from '../../error.js'
import type { EncodeOptions } from '../../mapping/index.js'
import type { Checkpoint } from './checkpoint.js'
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
