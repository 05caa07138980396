/** The dashboards' ids, which their links and the alert rules name. */
export const UID = {
  plans: 'planspan-plans',
  plan: 'planspan-plan',
  agents: 'planspan-agents-and-tools',
  tokens: 'planspan-tokens-and-cost',
  risk: 'planspan-risk-and-review',
} as const

/** A link of a field, as its override holds it. */
export interface DataLink {
  readonly title: string
  readonly url: string
}

/** From a row that has the plan's id to that plan's dashboard, in the same time range. Ids may hold any character. */
export function planLink(column = 'PlanId'): DataLink {
  return {
    title: 'Open the plan and its trace',
    url: `/d/${UID.plan}?var-datasource=\${datasource}&var-plan=\${__data.fields.${column}:percentencode}&\${__url_time_range}`,
  }
}
