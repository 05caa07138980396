import { PLUGIN } from './clickhouse-query.js'
import { UID } from './links.js'
import { RISK } from './look.js'
import { readQueries } from './sql-file.js'

/** The id of the provisioned data source, which alert rules name: they know no variables. */
export const SOURCE_UID = 'planspan'

/** Minutes after which an open wait is worth an alert. */
const LONG_WAIT_MINUTES = 60

interface Alert {
  readonly uid: string
  readonly title: string
  readonly query: string
  /** Fires for each row whose number is above it. */
  readonly above: number
  readonly severity: 'critical' | 'warning'
  readonly summary: string
  readonly description: string
  readonly dashboard: string
}

const sql = readQueries('alerts')

// Templates read `.Labels` and SQL reads now(): Grafana takes any $ in this file for a variable of the environment, in
// some of its versions in the queries too.
const ALERTS: readonly Alert[] = [
  {
    uid: 'planspan-unsafe-action-taken',
    title: 'A risky action was taken nonetheless',
    query: 'unsafe_action_taken',
    above: RISK.high,
    severity: 'critical',
    summary:
      'Plan {{ .Labels.PlanId }} ran {{ .Labels.Tool }} although {{ .Labels.Guardrail }} scored it above the threshold',
    description: `A guardrail’s risk score was above ${RISK.high} in the last 15 minutes, and the action ran.`,
    dashboard: UID.risk,
  },
  {
    uid: 'planspan-long-wait',
    title: 'A plan waits for a person',
    query: 'long_wait',
    above: LONG_WAIT_MINUTES,
    severity: 'warning',
    summary: 'Plan {{ .Labels.PlanId }} has waited for an answer ({{ .Labels.Reason }}) for too long',
    description: `A form, a review or an approval has been open for more than ${LONG_WAIT_MINUTES} minutes.`,
    dashboard: UID.risk,
  },
  {
    uid: 'planspan-plan-broken',
    title: 'A plan failed or was interrupted',
    query: 'plan_broken',
    above: 0,
    severity: 'warning',
    summary: 'Plan {{ .Labels.PlanId }} ({{ .Labels.Workflow }}, {{ .Labels.Service }}) is {{ .Labels.State }}',
    description: 'A plan ended with an error in the last 15 minutes, or was left unfinished.',
    dashboard: UID.plans,
  },
  {
    uid: 'planspan-budget-exceeded',
    title: 'A plan exceeds its budget',
    query: 'budget_exceeded',
    above: 100,
    severity: 'warning',
    summary: 'Plan {{ .Labels.PlanId }} ({{ .Labels.Workflow }}, {{ .Labels.Service }}) used more than its budget',
    description: 'A plan of the last day used more tokens or money than its budget allows.',
    dashboard: UID.tokens,
  },
]

/** The alert rules as Grafana's provisioning file. */
export function alertRules(): object {
  return {
    apiVersion: 1,
    groups: [{ orgId: 1, name: 'planspan', folder: 'planspan', interval: '1m', rules: ALERTS.map(rule) }],
  }
}

function rule({ uid, title, query, above, severity, summary, description, dashboard }: Alert): object {
  return {
    uid,
    title,
    condition: 'B',
    data: [
      {
        refId: 'A',
        relativeTimeRange: { from: 900, to: 0 },
        datasourceUid: SOURCE_UID,
        model: {
          refId: 'A',
          datasource: { type: PLUGIN, uid: SOURCE_UID },
          editorType: 'sql',
          queryType: 'table',
          format: 1,
          pluginVersion: '4.0.0',
          rawSql: sql(query),
        },
      },
      {
        refId: 'B',
        relativeTimeRange: { from: 900, to: 0 },
        datasourceUid: '__expr__',
        model: {
          refId: 'B',
          datasource: { type: '__expr__', uid: '__expr__' },
          type: 'threshold',
          expression: 'A',
          conditions: [{ evaluator: { type: 'gt', params: [above] } }],
        },
      },
    ],
    noDataState: 'OK',
    execErrState: 'Error',
    for: '0s',
    labels: { severity, source: 'planspan' },
    annotations: {
      summary,
      description,
      dashboard: `/d/${dashboard}`,
      plan: `/d/${UID.plan}?var-plan={{ .Labels.PlanId }}`,
    },
    isPaused: false,
  }
}
