export type { GeneratedPlan } from './generated-plan.js'
export { generatePlans } from './generate-plans.js'
export type { GenerateOptions } from './generate-plans.js'
