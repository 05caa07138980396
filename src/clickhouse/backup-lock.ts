import { PlanspanError } from '../error.js'
import { type DataDirectory, writing } from './data-directory.js'
import { locateEngine } from './engine.js'
import { lockFile } from './file-lock.js'
import { removeAllFrozen } from './frozen.js'

/**
 * Takes the lock that allows one backup of a data directory at a time, and removes what a killed backup left behind.
 * Returns the function that releases the lock.
 * @throws PlanspanError `data_directory_in_use` during another backup
 */
export function lockForBackup(directory: DataDirectory): () => void {
  const release = writing(directory.root, () => lockFile(directory.backupLock, locateEngine()))
  if (!release) {
    throw new PlanspanError(
      'data_directory_in_use',
      `Another backup of ${directory.root} is running. Wait until it has ended.`,
    )
  }
  removeAllFrozen(directory)
  return () => {
    removeAllFrozen(directory)
    release()
  }
}
