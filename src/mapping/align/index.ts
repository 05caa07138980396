export { align, gapsOf, wholeOf, Interner } from './align.js'
export type { Match, Stretch } from './shortest-edit.js'
