import { COLUMN } from './columns.js'
import { makeDashboard } from './dashboard.js'
import { planLink, UID } from './links.js'
import { SECONDS, STATE_COLOURS, steps } from './look.js'
import { bars, lines, table, totals } from './panels.js'
import { readQueries } from './sql-file.js'
import { dataSource, filter, listed } from './variables.js'

const sql = readQueries('plans')

export const plans = makeDashboard({
  uid: UID.plans,
  title: 'Plans',
  description: 'Running, waiting, completed and failed plans and their durations, with links to each plan.',
  from: 'now-7d',
  refresh: '1m',
  variables: [
    dataSource(),
    filter('service', 'Service', sql('plan_services')),
    filter('workflow', 'Workflow', sql('workflow')),
    listed('state', 'State (table)', Object.keys(STATE_COLOURS)),
  ],
  panels: [
    totals({
      title: 'Plans of the time range',
      description:
        'Plans that started in the time range, without sub-plans, by their current state. Success is the share of ended plans ' +
        'that were completed. The median duration is of completed plans and includes waits.',
      sql: sql('totals'),
      span: 24,
      height: 5,
      columns: {
        Started: { title: 'Started', unit: 'locale' },
        UnderWay: { title: 'In progress', thresholds: steps('text', [1, 'blue']) },
        Waiting: { title: 'Waiting for a person', thresholds: steps('text', [1, 'orange']) },
        Broken: { title: 'Failed or interrupted', thresholds: steps('text', [1, 'red']) },
        SuccessRate: {
          title: 'Success',
          unit: 'percentunit',
          decimals: 1,
          thresholds: steps('red', [0.8, 'orange'], [0.9, 'green']),
        },
        MedianDuration: { title: 'Median duration', unit: 'ms', decimals: 1 },
      },
    }),
    bars({
      title: 'Plans by state',
      description: 'The number of plans that started in each interval, without sub-plans, by current state.',
      sql: sql('by_state'),
      span: 13,
      height: 8,
      axis: 'plans',
      colours: STATE_COLOURS,
    }),
    table({
      title: 'Workflows',
      description:
        'The plans of each workflow, without sub-plans; the share of ended plans that failed or were interrupted; and the median ' +
        'duration.',
      sql: sql('workflows'),
      span: 11,
      height: 8,
      columns: {
        Name: { title: 'Workflow', wrap: true },
        Plans: { unit: 'locale', width: 80 },
        FailureRate: {
          ...COLUMN.share('Failed'),
          width: 90,
          thresholds: steps('green', [0.1, 'orange'], [0.2, 'red']),
          cell: 'color-text',
        },
        Median: COLUMN.duration('Median'),
      },
    }),
    lines({
      title: 'Duration of plans',
      description:
        'Median and 95th percentile of the duration of ended plans, including waits, by start time. Sub-plans are not counted.',
      sql: sql('durations'),
      logarithmic: true,
      span: 24,
      height: 7,
      unit: SECONDS,
      colours: { median: 'blue', p95: 'orange' },
    }),
    table({
      title: 'Versions of services',
      description:
        'The plans of each workflow by the version of the service (service.version of the first span), newest version first: ' +
        'compare a new version with the one before it. Sub-plans are not counted.',
      sql: sql('versions'),
      span: 24,
      height: 7,
      columns: {
        Name: { title: 'Workflow' },
        ServiceName: { title: 'Service', width: 200 },
        Version: { width: 200 },
        FirstPlan: COLUMN.time('First plan'),
        Plans: { unit: 'locale', width: 80 },
        SuccessRate: COLUMN.share('Success'),
        Median: COLUMN.duration('Median'),
      },
    }),
    bars({
      title: 'Failures by error',
      description:
        'The newest 1,000 failed and interrupted plans by start time, and by their error or that of their last failure.',
      sql: sql('errors_over_time'),
      empty: 'No plan failed.',
      span: 24,
      height: 7,
      axis: 'plans',
    }),
    table({
      title: 'Why plans fail',
      description:
        'The newest 1,000 failed and interrupted plans, by error, and by the agent and tool of their last failure. Shows the ' +
        'reason of the newest plan of each group. Click it to open that plan.',
      sql: sql('causes'),
      span: 24,
      height: 8,
      columns: {
        Name: { title: 'Workflow', width: 160 },
        Error: { width: 160, link: planLink() },
        Agent: { width: 160 },
        Tool: { width: 160 },
        Plans: { unit: 'locale', width: 80 },
        Reason: { ...COLUMN.text, link: planLink() },
        PlanId: COLUMN.hidden,
      },
    }),
    table({
      title: 'Failed and interrupted plans, newest first',
      description:
        'The 100 plans that ended last, each with its own reason or that of its last failure. Click a plan to open it.',
      sql: sql('broken_table'),
      span: 24,
      height: 8,
      columns: {
        Ended: COLUMN.time('Ended', planLink()),
        State: COLUMN.state,
        Name: { title: 'Workflow', width: 140 },
        Title: { link: planLink(), wrap: true },
        Error: { width: 140 },
        Reason: COLUMN.text,
        Agent: { width: 150 },
        Tool: { width: 140 },
        ServiceName: { title: 'Service', width: 140 },
        PlanId: COLUMN.hidden,
      },
    }),
    table({
      title: 'Plans, newest first',
      description:
        'The 200 newest matching plans, including sub-plans, marked by ↳. Click a title to open a plan with its steps, tokens, risk and trace.',
      sql: sql('table'),
      span: 24,
      height: 14,
      columns: {
        Started: COLUMN.time('Started', planLink()),
        State: COLUMN.state,
        Workflow: { width: 160 },
        Title: { link: planLink(), wrap: true },
        ProgressPercent: {
          title: 'Progress',
          unit: 'percent',
          decimals: 0,
          width: 130,
          max: 100,
          cell: 'gauge',
          thresholds: steps('blue'),
        },
        CurrentStep: { title: 'Current step', wrap: true },
        Headline: COLUMN.text,
        DurationMs: COLUMN.duration('Duration'),
        TotalTokens: COLUMN.tokens('Tokens'),
        CostUsd: COLUMN.dollars('Cost'),
        ServiceName: { title: 'Service', width: 150 },
        PlanId: COLUMN.hidden,
      },
    }),
  ],
})
