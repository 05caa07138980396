import { PLUGIN } from './clickhouse-query.js'
import { UID } from './links.js'
import { readQueries } from './sql-file.js'

/** The id of the provisioned data source. Alert rules refer to it, because they cannot use variables. */
export const SOURCE_UID = 'planspan'

interface Alert {
  readonly uid: string
  readonly title: string
  readonly query: string
  /** The alert fires for each row with a number above this threshold. */
  readonly above: number
  readonly severity: 'critical' | 'warning'
  readonly summary: string
  readonly description: string
  readonly dashboard: string
}

const sql = readQueries('alerts')

const OF_SERVICE = 'var-service={{ urlquery .Labels.Service }}'
const OF_WORKFLOW = `${OF_SERVICE}&var-workflow={{ urlquery .Labels.Workflow }}`

// Templates read `.Labels`, and SQL calls now(), because Grafana replaces any $ in this file by an environment
// variable, in some versions also in the queries.
const EVENTS: readonly Alert[] = [
  {
    uid: 'planspan-unsafe-action-taken',
    title: 'Unsafe actions were taken nonetheless',
    query: 'unsafe_action_taken',
    above: 0,
    severity: 'critical',
    summary:
      '{{ .Values.A }} unsafe actions with {{ .Labels.Tool }} ({{ .Labels.Service }}), judged by {{ .Labels.Guardrail }}',
    description:
      'In the last 15 minutes, actions ran although a guardrail found them unsafe, or, without a verdict, they violated ' +
      'policies or their risk score was above 0.7.',
    dashboard: `${UID.risk}?${OF_SERVICE}&var-guardrail={{ urlquery .Labels.Guardrail }}`,
  },
  {
    uid: 'planspan-plans-broken',
    title: 'Plans failed or were interrupted',
    query: 'plans_broken',
    above: 0,
    severity: 'warning',
    summary: '{{ .Values.A }} plans of {{ .Labels.Workflow }} ({{ .Labels.Service }}): {{ .Labels.State }}',
    description: 'In the last 15 minutes, plans ended with an error or stopped sending spans before they ended.',
    dashboard: `${UID.plans}?${OF_WORKFLOW}&var-state={{ .Labels.State }}`,
  },
  {
    uid: 'planspan-budget-exceeded',
    title: 'Plans exceed their budgets',
    query: 'budget_exceeded',
    above: 0,
    severity: 'warning',
    summary: '{{ .Values.A }} plans of {{ .Labels.Workflow }} ({{ .Labels.Service }}) used more than their budget',
    description: 'Plans with spans in the last hour used more tokens or money than their budgets allow.',
    dashboard: `${UID.tokens}?${OF_SERVICE}`,
  },
  {
    uid: 'planspan-nothing-arrives',
    title: 'No plans are received',
    query: 'nothing_arrives',
    above: 60,
    severity: 'warning',
    summary: 'No plan has sent spans for {{ .Values.A }} minutes',
    description:
      'The newest span of a plan ended more than an hour ago. Either no plan is running, or spans do not arrive.',
    dashboard: UID.plans,
  },
]

const STANDING: readonly Alert[] = [
  {
    uid: 'planspan-long-waits',
    title: 'Plans wait for a person',
    query: 'long_waits',
    above: 0,
    severity: 'warning',
    summary: '{{ .Values.A }} open waits ({{ .Labels.Reason }}, {{ .Labels.Service }})',
    description:
      'Forms, reviews or approvals of live plans have been open for more than an hour. Imported records do not count.',
    dashboard: `${UID.risk}?${OF_SERVICE}`,
  },
  {
    uid: 'planspan-failure-rate',
    title: 'Many plans of a workflow fail',
    query: 'failure_rate',
    above: 20,
    severity: 'warning',
    summary:
      '{{ .Values.A }}% of the plans of {{ .Labels.Workflow }} ({{ .Labels.Service }}) failed or were interrupted',
    description:
      'More than 20% of the plans that ended in the last hour failed or were interrupted (at least ten plans).',
    dashboard: `${UID.plans}?${OF_WORKFLOW}`,
  },
  {
    uid: 'planspan-tool-error-rate',
    title: 'Many calls of a tool fail',
    query: 'tool_error_rate',
    above: 25,
    severity: 'warning',
    summary: '{{ .Values.A }}% of the calls of {{ .Labels.Tool }} ({{ .Labels.Service }}) failed',
    description: 'More than 25% of the tool’s calls in the last hour failed (at least 20 calls).',
    dashboard: `${UID.agents}?${OF_SERVICE}&var-tool={{ urlquery .Labels.Tool }}`,
  },
]

/** The alert rules as Grafana's provisioning file. */
export function alertRules(): object {
  return {
    apiVersion: 1,
    groups: [group('planspan', '1m', EVENTS), group('planspan, standing conditions', '5m', STANDING)],
  }
}

function group(name: string, interval: string, alerts: readonly Alert[]): object {
  return { orgId: 1, name, folder: 'planspan', interval, rules: alerts.map(rule) }
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
    },
    isPaused: false,
  }
}
