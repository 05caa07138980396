import { COLUMN } from './columns.js'
import { makeDashboard } from './dashboard.js'
import { planLink, UID } from './links.js'
import { BUDGET_STEPS, ROLE_COLOURS, steps } from './look.js'
import { bars, lines, ranking, table, totals } from './panels.js'
import { readQueries } from './sql-file.js'
import { dataSource, filter } from './variables.js'

const sql = readQueries('tokens-and-cost')

export const tokensAndCost = makeDashboard({
  uid: UID.tokens,
  title: 'Tokens and cost',
  description:
    'What plans use, by role, model and agent, what it costs where prices are known, and how it stands to their budgets.',
  from: 'now-7d',
  refresh: '5m',
  variables: [
    dataSource(),
    filter('service', 'Service', sql('service')),
    filter('model', 'Model', sql('model')),
    filter('role', 'Role', sql('role')),
  ],
  panels: [
    totals({
      title: 'Use',
      description:
        'Tokens of all model calls, each counted once; the share of the input that came from a cache; the cost of the calls ' +
        'whose model has a price, and the share of calls whose model has none.',
      sql: sql('totals'),
      span: 20,
      height: 5,
      columns: {
        Tokens: { title: 'Tokens', unit: 'short', decimals: 1 },
        Input: { title: 'Input', unit: 'short', decimals: 1 },
        Output: { title: 'Output', unit: 'short', decimals: 1 },
        Cached: { title: 'Cached input', unit: 'percentunit', decimals: 1 },
        Cost: { title: 'Cost', unit: 'currencyUSD', decimals: 2 },
        Unpriced: {
          title: 'Without a price',
          unit: 'percentunit',
          decimals: 1,
          thresholds: steps('text', [0.05, 'orange']),
        },
      },
    }),
    totals({
      title: 'Budgets',
      description:
        'Plans of the time range, without sub-plans, that used more tokens or money than their budget allows, with whatever models ' +
        'and roles.',
      sql: sql('over_budget_plans'),
      span: 4,
      height: 5,
      columns: { Plans: { title: 'Over budget', thresholds: steps('green', [1, 'red']) } },
    }),
    bars({
      title: 'Tokens by role',
      description: 'Tokens of each interval, by whose model calls they were.',
      sql: sql('by_role'),
      span: 12,
      height: 9,
      unit: 'short',
      axis: 'tokens',
      colours: ROLE_COLOURS,
    }),
    bars({
      title: 'Cost by model',
      description: 'Cost of each interval, of the model calls whose price is known.',
      sql: sql('cost_by_model'),
      empty: 'No model call has a price: prices stand in the table model_prices.',
      span: 12,
      height: 9,
      unit: 'currencyUSD',
    }),
    ranking({
      title: 'Tokens by agent',
      description: 'The ten agents that used the most tokens; "(no agent)" are calls that name none.',
      sql: sql('by_agent'),
      span: 12,
      height: 9,
      unit: 'short',
      decimals: 1,
    }),
    table({
      title: 'Dearest plans',
      description: 'The ten plans that cost most, with their sub-plans, all models and roles. A click on one opens it.',
      sql: sql('dearest_plans'),
      span: 12,
      height: 9,
      columns: {
        Plan: { link: planLink() },
        Name: { title: 'Workflow', width: 140 },
        CostUsd: COLUMN.dollars('Cost'),
        PlanId: COLUMN.hidden,
      },
    }),
    table({
      title: 'Workflows',
      description:
        'Tokens and cost of each workflow and service, all models and roles: plans with their sub-plans, the share of their input ' +
        'that came from a cache, and the mean cost of those with a known one.',
      sql: sql('workflows'),
      span: 14,
      height: 9,
      columns: {
        Name: { title: 'Workflow' },
        ServiceName: { title: 'Service', width: 140 },
        Plans: { unit: 'locale', width: 75 },
        Tokens: { ...COLUMN.tokens('Tokens'), width: 90 },
        Cached: { ...COLUMN.share('Cached input'), width: 120 },
        Cost: COLUMN.dollars('Cost'),
        PerPlan: COLUMN.dollars('A plan'),
      },
    }),
    lines({
      title: 'Input from a cache',
      description: 'The share of each interval’s input tokens that came from a cache, of the models and roles chosen.',
      sql: sql('cached'),
      empty: 'No model call tells its input.',
      span: 10,
      height: 9,
      unit: 'percentunit',
      colours: { cached: 'blue' },
    }),
    table({
      title: 'Models',
      description: 'Each model’s calls, tokens, latency and cost.',
      sql: sql('models'),
      span: 24,
      height: 8,
      columns: {
        Calls: { unit: 'locale', width: 90 },
        Input: COLUMN.tokens('Input'),
        Cached: COLUMN.share('Cached input'),
        Output: COLUMN.tokens('Output'),
        Median: COLUMN.duration('Median'),
        P95: COLUMN.duration('95th pct.'),
        Cost: COLUMN.dollars('Cost'),
      },
    }),
    table({
      title: 'Budget against use',
      description:
        'The 50 plans closest to their budget or beyond it, sub-plans marked by ↳, all models and roles. A click on one opens it.',
      sql: sql('budgets'),
      span: 24,
      height: 10,
      columns: {
        Started: COLUMN.time('Started', planLink()),
        State: COLUMN.state,
        Name: { title: 'Workflow', width: 160 },
        Plan: { link: planLink() },
        TotalTokens: COLUMN.tokens('Tokens'),
        BudgetTokens: { ...COLUMN.tokens('Token budget'), width: 115 },
        TokenShare: { ...COLUMN.share('Tokens used'), width: 150, max: 1, thresholds: BUDGET_STEPS, cell: 'gauge' },
        CostUsd: COLUMN.dollars('Cost'),
        BudgetCostUsd: { ...COLUMN.dollars('Cost budget'), width: 105 },
        CostShare: { ...COLUMN.share('Money used'), width: 150, max: 1, thresholds: BUDGET_STEPS, cell: 'gauge' },
        ServiceName: { title: 'Service', width: 140 },
        PlanId: COLUMN.hidden,
      },
    }),
  ],
})
