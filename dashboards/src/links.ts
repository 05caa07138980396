/** The ids of the dashboards, as used by links and alert rules. */
export const UID = {
  plans: 'planspan-plans',
  plan: 'planspan-plan',
  agents: 'planspan-agents-and-tools',
  tokens: 'planspan-tokens-and-cost',
  risk: 'planspan-risk-and-review',
} as const

/** A link in the override of a field. */
export interface DataLink {
  readonly title: string
  readonly url: string
}

/** Returns a link from a row with a plan's id to the dashboard of the plan, with the same time range. */
export function planLink(column = 'PlanId'): DataLink {
  return {
    title: 'Open the plan and its trace',
    url: `/d/${UID.plan}?var-datasource=\${datasource}&var-plan=\${__data.fields.${column}:percentencode}&\${__url_time_range}`,
  }
}
