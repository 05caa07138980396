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
    'Token usage of plans by role, model and agent, cost where prices are known, and usage compared with budgets.',
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
      title: 'Usage',
      description:
        'Tokens of all model calls, each call counted once; the share of input tokens from a cache; the cost of calls with a ' +
        'known price; and the share of calls without a known price.',
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
        'Plans of the time range, without sub-plans, that used more tokens or money than their budget allows. Includes all models ' +
        'and roles.',
      sql: sql('over_budget_plans'),
      span: 4,
      height: 5,
      columns: { Plans: { title: 'Over budget', thresholds: steps('green', [1, 'red']) } },
    }),
    bars({
      title: 'Tokens by role',
      description: 'Tokens of each interval, by role of the model calls.',
      sql: sql('by_role'),
      span: 12,
      height: 9,
      unit: 'short',
      axis: 'tokens',
      colours: ROLE_COLOURS,
    }),
    bars({
      title: 'Cost by model',
      description: 'The cost of model calls with a known price, by interval.',
      sql: sql('cost_by_model'),
      empty: 'No model call has a price. Prices are in the table model_prices.',
      span: 12,
      height: 9,
      unit: 'currencyUSD',
    }),
    ranking({
      title: 'Tokens by agent',
      description: 'The ten agents that used the most tokens. "(no agent)" are calls without an agent.',
      sql: sql('by_agent'),
      span: 12,
      height: 9,
      unit: 'short',
      decimals: 1,
    }),
    table({
      title: 'Most expensive plans',
      description: 'The ten most expensive plans, including sub-plans, all models and roles. Click a plan to open it.',
      sql: sql('most_expensive_plans'),
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
        'Tokens and cost by workflow and service, all models and roles. Plans include their sub-plans. Cached input is the share ' +
        'of input tokens from a cache. Per plan is the mean cost of plans with a known cost. Per success is their total cost for each ' +
        'one that was completed.',
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
        PerPlan: COLUMN.dollars('Per plan'),
        PerSuccess: COLUMN.dollars('Per success'),
      },
    }),
    lines({
      title: 'Cached input',
      description: 'The share of input tokens from a cache by interval, for the selected models and roles.',
      sql: sql('cached'),
      empty: 'No model call reports input tokens.',
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
      title: 'Budget and usage',
      description:
        'The 50 plans that used the largest share of their budget, all models and roles. ↳ marks sub-plans. Click a plan to open it.',
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
