export { align, gapsOf, wholeOf } from './align.js'
export { Interner } from './interner.js'
export type { Match, Stretch } from './shortest-edit.js'
