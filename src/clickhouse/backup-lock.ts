import { PlanspanError } from '../error.js'
import { type DataDirectory, writing } from './data-directory.js'
import { locateEngine } from './engine.js'
import { lockFile } from './file-lock.js'
import { removeAllFrozen } from './frozen.js'

/**
 * Makes sure that one backup of a data directory is made at a time, and that none has left anything there; answers how
 * to let the next one begin. Throws `data_directory_in_use`.
 */
export function lockForBackup(directory: DataDirectory): () => void {
  const release = writing(directory.root, () => lockFile(directory.backupLock, locateEngine()))
  if (!release) {
    throw new PlanspanError(
      'data_directory_in_use',
      `Another backup of ${directory.root} is being made. Wait until it has ended.`,
    )
  }
  removeAllFrozen(directory)
  return () => {
    removeAllFrozen(directory)
    release()
  }
}
