import { COLUMN } from './columns.js'
import { makeDashboard } from './dashboard.js'
import { UID } from './links.js'
import { RISK_STEPS, ROLE_COLOURS, colouredText, takenOrNot } from './look.js'
import { ranking, table, totals, trace } from './panels.js'
import { readQueries } from './sql-file.js'
import { choice, dataSource, derived } from './variables.js'

const sql = readQueries('one-plan')

export const onePlan = makeDashboard({
  uid: UID.plan,
  title: 'One plan',
  description: 'A single plan: steps, tree of spans, tokens, risks, waits, reviews and trace.',
  from: 'now-7d',
  refresh: '1m',
  variables: [dataSource(), choice('plan', 'Plan', sql('plan')), derived('trace', sql('trace'))],
  panels: [
    totals({
      title: 'Status',
      description:
        'The plan’s state; its duration, up to the wait if it is waiting; its progress; its usage, including sub-plans; ' +
        'the highest risk score of its trace; and the time that it waited for people.',
      sql: sql('totals'),
      span: 24,
      height: 5,
      columns: {
        State: COLUMN.state,
        DurationMs: { title: 'Duration', unit: 'ms', decimals: 1 },
        ProgressPercent: { title: 'Done', unit: 'percent', decimals: 0 },
        TotalTokens: { title: 'Tokens', unit: 'short' },
        CostUsd: { title: 'Cost', unit: 'currencyUSD', decimals: 4 },
        HighestRisk: { title: 'Highest risk', decimals: 2, thresholds: RISK_STEPS },
        Waited: { title: 'Waited for people', unit: 'ms', decimals: 1 },
      },
    }),
    table({
      title: 'About the plan',
      description: 'The plan’s title, request, summary, service and ids.',
      sql: sql('about'),
      span: 8,
      height: 10,
      columns: { Field: { width: 85 }, Value: COLUMN.text },
      headless: true,
    }),
    table({
      title: 'Steps',
      description: 'The plan’s steps in order, with the agent, the number of attempts and the duration.',
      sql: sql('steps'),
      span: 16,
      height: 10,
      columns: {
        StepIndex: { title: '#', width: 45 },
        State: COLUMN.state,
        Title: COLUMN.text,
        AgentName: { title: 'Agent', width: 130 },
        Attempts: { width: 85 },
        Started: COLUMN.time('Started'),
        DurationMs: COLUMN.duration('Duration'),
        ErrorMessage: { title: 'Error', width: 150, wrap: true },
      },
    }),
    table({
      title: 'Tree',
      description:
        'All spans of the plan’s trace, indented below their parents, with the time from the start of the plan to the start of ' +
        'the span, and the duration.',
      sql: sql('tree'),
      span: 9,
      height: 12,
      columns: {
        AfterMs: { title: 'After', unit: 'ms', decimals: 1, width: 85 },
        DurationMs: { ...COLUMN.duration('Duration'), width: 95 },
        State: { ...COLUMN.state, width: 75 },
      },
    }),
    table({
      title: 'Model calls',
      description: 'The model calls of the trace, with model, role, tokens, and cost if the price is known.',
      sql: sql('model_calls'),
      span: 15,
      height: 12,
      columns: {
        Time: COLUMN.time('Time'),
        UsageRole: { title: 'Role', width: 120, mappings: colouredText(ROLE_COLOURS), cell: 'color-text' },
        InputTokens: COLUMN.tokens('Input'),
        CacheReadTokens: COLUMN.tokens('Cached'),
        OutputTokens: COLUMN.tokens('Output'),
        DurationMs: COLUMN.duration('Duration'),
        CostUsd: COLUMN.dollars('Cost'),
      },
    }),
    ranking({
      title: 'Tokens by role',
      description: 'Input and output tokens of all model calls of the trace, by role.',
      sql: sql('tokens_by_role'),
      empty: 'No model was called.',
      span: 6,
      height: 9,
      unit: 'short',
      decimals: 1,
    }),
    table({
      title: 'Risk assessments',
      description:
        'Assessments of proposed actions by guardrails: score from 0 to 1, verdict, violated policies, and whether the action ran.',
      sql: sql('risks'),
      span: 18,
      height: 9,
      columns: {
        Time: COLUMN.time('Time'),
        GuardrailName: { title: 'Guardrail', width: 110 },
        Score: COLUMN.risk('Score'),
        IsSafe: COLUMN.isSafe,
        ActionTaken: { title: 'Action', width: 95, mappings: takenOrNot },
        ToolName: { title: 'Tool', width: 130 },
        Policies: { width: 110 },
        Explanation: COLUMN.text,
      },
    }),
    table({
      title: 'Waits and reviews',
      description: 'Waits for people and reviews, with their time, outcome and duration.',
      sql: sql('people'),
      span: 24,
      height: 5,
      columns: {
        Time: COLUMN.time('Time'),
        Kind: { title: 'Reason', width: 140 },
        Outcome: { width: 170 },
        Said: COLUMN.text,
        DurationMs: COLUMN.duration('Waited'),
      },
    }),
    trace({
      title: 'Trace',
      description: 'The spans of the plan’s trace over time. Click a span to see its attributes, events and links.',
      sql: sql('spans'),
      span: 24,
      height: 18,
    }),
  ],
})
