// Loaded before ClickHouse starts, so it exports only the checks of ages.
export { checkAges } from './ages.js'
export type { ColdVolume } from './ages.js'
