import { PlanspanError } from '../../error.js'

/** Returns the error for a file of a backup, by the system's error. */
export function fileFailure(path: string, cause: unknown): unknown {
  if (cause instanceof PlanspanError || !(cause instanceof Error) || !('code' in cause)) return cause
  if (cause.code === 'ENOSPC' || cause.code === 'EDQUOT') {
    return new PlanspanError('disk_full', `The disk of ${path} is full. Free some space, or use another disk.`, {
      cause,
    })
  }
  if (!('syscall' in cause)) return cause
  return new PlanspanError('usage', `${path} cannot be read or written: ${cause.message}.`, { cause })
}
