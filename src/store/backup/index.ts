export { freezeTables } from './freeze.js'
export type { Frozen, FrozenTable } from './freeze.js'
export { checkSchemas } from './schemas.js'
export type { Schemas } from './schemas.js'
