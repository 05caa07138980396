export { backupStore } from './backup-store.js'
export { checkBackup, restoreStore } from './restore-store.js'
export type { BackupSummary } from './restore-store.js'
export { listenControl } from './control.js'
