// Loaded before there is a ClickHouse: no more than the ages themselves.
export { checkAges } from './ages.js'
export type { ColdVolume } from './ages.js'
