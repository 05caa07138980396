import { COLUMN } from './columns.js'
import { makeDashboard } from './dashboard.js'
import { planLink, UID } from './links.js'
import { DECISION_COLOURS, RISK, RISK_STEPS, SECONDS, steps, takenOrNot, VERDICT_COLOURS } from './look.js'
import { bars, lines, ranking, table, totals } from './panels.js'
import { readQueries } from './sql-file.js'
import { dataSource, filter } from './variables.js'

const sql = readQueries('risk-and-review')

export const riskAndReview = makeDashboard({
  uid: UID.risk,
  title: 'Risk and review',
  description: 'Verdicts of guardrails and whether agents respected them, decisions of people, and waiting times.',
  from: 'now-7d',
  refresh: '5m',
  variables: [
    dataSource(),
    filter('service', 'Service', sql('plan_services')),
    filter('guardrail', 'Guardrail', sql('guardrail')),
  ],
  panels: [
    totals({
      title: 'Risk',
      description:
        'Assessments of proposed actions, each counted once; assessments that found an action unsafe; unsafe actions that were ' +
        'taken nonetheless; and the highest score, from 0 to 1.',
      sql: sql('risk_totals'),
      span: 16,
      height: 5,
      columns: {
        Assessments: { title: 'Assessments', unit: 'locale' },
        Unsafe: { title: 'Unsafe', unit: 'locale', thresholds: steps('text', [1, 'orange']) },
        TakenNonetheless: { title: 'Taken nonetheless', thresholds: steps('green', [1, 'red']) },
        Highest: { title: 'Highest score', decimals: 2, thresholds: RISK_STEPS },
      },
    }),
    totals({
      title: 'Waits',
      description:
        'Open waits for people, regardless of the time range; and the median duration of answered waits that started in the time ' +
        'range.',
      sql: sql('wait_totals'),
      span: 8,
      height: 5,
      columns: {
        Open: { title: 'Open', thresholds: steps('text', [1, 'orange']) },
        MedianWait: { title: 'Median wait', unit: 'ms', decimals: 1 },
      },
    }),
    lines({
      title: 'Risk scores',
      description: `Mean, 95th percentile and highest score of each interval. An action with a score of ${RISK.high} or more is risky.`,
      sql: sql('scores'),
      empty: 'No guardrail reported a score.',
      span: 12,
      height: 9,
      decimals: 2,
      max: 1,
      colours: { mean: 'blue', p95: 'orange', highest: 'red' },
      thresholds: steps('transparent', [RISK.high, 'red']),
    }),
    bars({
      title: 'Verdicts',
      description: 'Assessments of each interval by verdict; for unsafe actions, whether they were taken.',
      sql: sql('verdicts'),
      empty: 'No guardrail assessed an action.',
      span: 12,
      height: 9,
      axis: 'assessments',
      colours: VERDICT_COLOURS,
    }),
    ranking({
      title: 'Violated policies',
      description: 'The ten policies that were violated most often by proposed actions.',
      sql: sql('policies'),
      empty: 'No policy was violated.',
      span: 8,
      height: 10,
      thresholds: steps('orange'),
    }),
    table({
      title: 'Unsafe actions that were taken, or may have been',
      description:
        'Actions that a guardrail found unsafe and that ran nonetheless, riskiest first, followed by unsafe actions of which it is ' +
        'unknown whether they ran. Click an action to open its plan.',
      sql: sql('unsafe_actions'),
      span: 16,
      height: 10,
      columns: {
        Time: COLUMN.time('Time', planLink()),
        Score: COLUMN.risk('Score'),
        ToolName: { title: 'Tool', width: 130 },
        Policies: { width: 100 },
        Explanation: COLUMN.text,
        ActionTaken: { title: 'Action', width: 90, mappings: takenOrNot },
        GuardrailName: { title: 'Guardrail', width: 110 },
        PlanId: COLUMN.hidden,
      },
    }),
    bars({
      title: 'Review decisions',
      description: 'Decisions of reviewers on plans, by start time of the plan.',
      sql: sql('decisions'),
      empty: 'No plan was reviewed.',
      span: 12,
      height: 9,
      axis: 'decisions',
      colours: DECISION_COLOURS,
    }),
    lines({
      title: 'Median waiting time',
      description: 'The median duration of answered waits in each interval, by reason.',
      sql: sql('waiting_time'),
      empty: 'No wait was answered.',
      logarithmic: true,
      span: 12,
      height: 9,
      unit: SECONDS,
    }),
    table({
      title: 'Still waiting',
      description: 'The 100 oldest open waits, regardless of the time range. Click a wait to open its plan.',
      sql: sql('open_waits'),
      span: 12,
      height: 9,
      columns: {
        Since: COLUMN.time('Since', planLink()),
        Waiting: { title: 'Waiting time', unit: 's', decimals: 1, width: 110 },
        Reason: { title: 'Reason', width: 120 },
        Title: COLUMN.text,
        ServiceName: { title: 'Service', width: 130 },
        PlanId: COLUMN.hidden,
      },
    }),
    table({
      title: 'Reviews, newest first',
      description: 'The 100 newest decisions of reviewers, with their feedback. Click a decision to open its plan.',
      sql: sql('reviews'),
      span: 12,
      height: 9,
      columns: {
        PlanStarted: COLUMN.time('Plan started', planLink()),
        Decision: { width: 160 },
        Attempt: { width: 90 },
        Feedback: COLUMN.text,
        Reviewer: { width: 100 },
        PlanId: COLUMN.hidden,
      },
    }),
  ],
})
