export { dropDatabase } from './drop-database.js'
export { isPlanspanDatabase, listDatabases } from './list-databases.js'
export type { PlanspanDatabase } from './list-databases.js'
