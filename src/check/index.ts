export { checkPlan, type PlanCheck } from './check-plan.js'
export { readRules, valueAt, type RuleProblem } from './rule-problems.js'
export { type Rule, rulesJsonSchema, rulesSchema } from './rules.js'
