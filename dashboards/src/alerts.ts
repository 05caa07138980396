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
  /** What happened. */
  readonly summary: string
  /** What to do. */
  readonly description: string
  readonly dashboard: string
  /** Whether the label Plan names one of the plans. */
  readonly namesPlan?: boolean
}

const sql = readQueries('alerts')

const OF_SERVICE = 'var-service={{ urlquery .Labels.Service }}'
const OF_WORKFLOW = `${OF_SERVICE}&var-workflow={{ urlquery .Labels.Workflow }}`
const WORKFLOW = '{{ .Labels.Workflow }} ({{ .Labels.Service }})'

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
      '{{ .Labels.Service }} ran {{ .Labels.Tool }} although it was judged unsafe' +
      '{{ with .Labels.Guardrail }} by {{ . }}{{ end }} ({{ .Values.A }} times in 15 minutes)',
    description:
      'Open the plan and read what the action did. Stop the agent if the plan still runs, and undo the action if you can. ' +
      'Then find out why the guardrail did not stop it. An action is unsafe by the verdict; without a verdict, if it violates ' +
      'policies or its risk score is above 0.7.',
    dashboard: `${UID.risk}?${OF_SERVICE}&var-guardrail={{ urlquery .Labels.Guardrail }}`,
    namesPlan: true,
  },
  {
    uid: 'planspan-plans-broken',
    title: 'Plans failed or were interrupted',
    query: 'plans_broken',
    above: 0,
    severity: 'warning',
    summary: `{{ .Values.A }} plans of ${WORKFLOW} {{ .Labels.State }} in 15 minutes, for example: {{ .Labels.Details }}`,
    description:
      'Open the plan: its first line says why it failed. An interrupted plan has stopped sending spans without ending: ' +
      'check whether its process still runs, and start the plan again.',
    dashboard: `${UID.plans}?${OF_WORKFLOW}&var-state={{ .Labels.State }}`,
    namesPlan: true,
  },
  {
    uid: 'planspan-budget-exceeded',
    title: 'Plans exceed their budgets',
    query: 'budget_exceeded',
    above: 0,
    severity: 'warning',
    summary: `{{ .Values.A }} plans of ${WORKFLOW} used more tokens or money than their budgets allow`,
    description:
      'These plans sent spans in the last hour. Open the plan, and stop it if it repeats itself. Otherwise give the workflow a ' +
      'larger budget.',
    dashboard: `${UID.tokens}?${OF_SERVICE}`,
    namesPlan: true,
  },
  {
    uid: 'planspan-nothing-arrives',
    title: 'No plans are received',
    query: 'nothing_arrives',
    above: 60,
    severity: 'warning',
    summary: 'No plan has sent spans for {{ .Values.A }} minutes',
    description:
      'If agents should be running now, check that they are, then the collector between them and planspan, then run ' +
      '`planspan doctor`. Otherwise ignore this alert, or pause its rule for the hours without agents.',
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
    summary:
      '{{ .Values.A }} plans of {{ .Labels.Service }} have waited for a person for more than an hour, the longest: ' +
      '{{ .Labels.Details }}',
    description: 'Open the plan and answer it, or cancel it. Plans that ended and imported records do not count.',
    dashboard: `${UID.risk}?${OF_SERVICE}`,
    namesPlan: true,
  },
  {
    uid: 'planspan-objective-missed',
    title: 'A workflow misses its success objective',
    query: 'objective_missed',
    above: 0,
    severity: 'critical',
    summary: `{{ .Values.A }}% of the plans of ${WORKFLOW} that ended in the last hour failed, for example: {{ .Labels.Details }}`,
    description:
      'The objective is that 95% of the plans succeed. This alert fires if more than 30% of the plans of the last 6 hours ' +
      'failed, and still do, or more than 72% of the last hour (at least ten plans). Open the dashboard: "Why plans fail" ' +
      'lists the causes. If a new version caused it, roll it back.',
    dashboard: `${UID.plans}?${OF_WORKFLOW}`,
    namesPlan: true,
  },
  {
    uid: 'planspan-spend-rate',
    title: 'Models cost more than usual',
    query: 'spend_rate',
    above: 0,
    severity: 'warning',
    summary: 'The model calls of {{ .Labels.Service }} cost {{ .Values.A }} US dollars in the last hour',
    description:
      'That is more than 5 US dollars, and more than three times the hourly average of the day before. Open the dashboard: ' +
      'it lists the most expensive plans. Stop those that repeat themselves.',
    dashboard: `${UID.tokens}?${OF_SERVICE}`,
  },
  {
    uid: 'planspan-tool-error-rate',
    title: 'Many calls of a tool fail',
    query: 'tool_error_rate',
    above: 25,
    severity: 'warning',
    summary: '{{ .Values.A }}% of the calls of {{ .Labels.Tool }} ({{ .Labels.Service }}) in the last hour failed',
    description:
      'More than 25% of at least 20 calls failed. Open the dashboard for the error messages, and check the service behind the tool.',
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

function rule({ uid, title, query, above, severity, summary, description, dashboard, namesPlan }: Alert): object {
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
      ...(namesPlan && { plan: `/d/${UID.plan}?var-plan={{ urlquery .Labels.Plan }}` }),
    },
    isPaused: false,
  }
}
