export { headlineOf, type PlanUnderWay } from './headline.js'
export type { Remark } from './remark.js'
export { openWaits } from './wait-remarks.js'
