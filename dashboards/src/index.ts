import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { agentsAndTools } from './agents-and-tools.js'
import { onePlan } from './one-plan.js'
import { plans } from './plans.js'
import { riskAndReview } from './risk-and-review.js'
import { tokensAndCost } from './tokens-and-cost.js'

/** All dashboards, by file name. */
export const DASHBOARDS: Readonly<Record<string, Dashboard>> = {
  plans,
  'one-plan': onePlan,
  'agents-and-tools': agentsAndTools,
  'tokens-and-cost': tokensAndCost,
  'risk-and-review': riskAndReview,
}
