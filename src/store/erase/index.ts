export { erasePlan } from './erase-plan.js'
export type { Erased, EraseOptions } from './erase-plan.js'
