import { COLUMN } from './columns.js'
import { makeDashboard } from './dashboard.js'
import { planLink, UID } from './links.js'
import { SECONDS, steps } from './look.js'
import { lines, ranking, table, totals } from './panels.js'
import { readQueries } from './sql-file.js'
import { dataSource, filter } from './variables.js'

const sql = readQueries('agents-and-tools')

const SUCCESS = steps('red', [0.8, 'orange'], [0.9, 'green'])
const ERRORS = steps('green', [0.02, 'orange'], [0.1, 'red'])

export const agentsAndTools = makeDashboard({
  uid: UID.agents,
  title: 'Agents and tools',
  description: 'Performance of agents and their tools: latency, errors, retries, and the slowest tools and calls.',
  from: 'now-7d',
  refresh: '5m',
  variables: [
    dataSource(),
    filter('service', 'Service', sql('service')),
    filter('agent', 'Agent', sql('agent')),
    filter('tool', 'Tool', sql('tool')),
  ],
  panels: [
    totals({
      title: 'Agents',
      description: 'Runs of agents, and the share of ended runs that were completed.',
      sql: sql('agent_totals'),
      span: 8,
      height: 5,
      columns: {
        Runs: { title: 'Runs', unit: 'locale' },
        SuccessRate: { title: 'Success', unit: 'percentunit', decimals: 1, thresholds: SUCCESS },
      },
    }),
    totals({
      title: 'Tools',
      description:
        'Tool calls, the share of failed calls, retries (calls with the same arguments in the same plan, right after a failure), ' +
        'and the 95th percentile of latency.',
      sql: sql('tool_totals'),
      span: 16,
      height: 5,
      columns: {
        Calls: { title: 'Calls', unit: 'locale' },
        ErrorRate: { title: 'Errors', unit: 'percentunit', decimals: 1, thresholds: ERRORS },
        Retries: { title: 'Retries', unit: 'locale' },
        P95: { title: '95th percentile', unit: 'ms', decimals: 1 },
      },
    }),
    lines({
      title: 'Tool latency, 95th percentile',
      description: 'The 95th percentile of latency, for the five selected tools with the most calls.',
      sql: sql('tool_latency'),
      logarithmic: true,
      span: 14,
      height: 9,
      unit: SECONDS,
    }),
    lines({
      title: 'Error rate',
      description: 'The share of tool calls and of agents’ runs that failed in each interval.',
      sql: sql('error_rate'),
      span: 10,
      height: 9,
      unit: 'percentunit',
      colours: { tools: 'orange', agents: 'purple' },
    }),
    table({
      title: 'Agents by runs',
      description: 'Each agent’s runs, share of completed runs, stuck runs, and latency.',
      sql: sql('agents'),
      span: 11,
      height: 10,
      columns: {
        Agent: {},
        Runs: { unit: 'locale', width: 80 },
        SuccessRate: { ...COLUMN.share('Success'), thresholds: SUCCESS, cell: 'color-text' },
        Stuck: { unit: 'locale', width: 80 },
        Median: COLUMN.duration('Median'),
        P95: COLUMN.duration('95th pct.'),
      },
    }),
    table({
      title: 'Tools by calls',
      description: 'Each tool’s calls, errors, retries after an error, successful retries, and latency.',
      sql: sql('tools'),
      span: 13,
      height: 10,
      columns: {
        ToolName: { title: 'Tool', wrap: true },
        Calls: { unit: 'locale', width: 80 },
        Errors: { unit: 'locale', width: 80 },
        ErrorRate: { ...COLUMN.share('Error rate'), thresholds: ERRORS, cell: 'color-text' },
        Retries: { unit: 'locale', width: 80 },
        Helped: { unit: 'locale', width: 80 },
        Median: COLUMN.duration('Median'),
        P95: COLUMN.duration('95th pct.'),
      },
    }),
    ranking({
      title: 'Slowest tools',
      description: 'The ten tools with the highest 95th percentile of latency among tools with at least ten calls.',
      sql: sql('slowest_tools'),
      span: 12,
      height: 9,
      unit: 'ms',
      decimals: 1,
    }),
    ranking({
      title: 'Tool errors by type',
      description: 'The ten most frequent error classes of tool calls.',
      sql: sql('errors'),
      empty: 'No tool call failed.',
      span: 12,
      height: 9,
      thresholds: steps('red'),
    }),
    table({
      title: 'Slowest calls',
      description: 'The 50 longest tool calls. Click a call to open its plan and trace.',
      sql: sql('slowest_calls'),
      span: 24,
      height: 10,
      columns: {
        Time: COLUMN.time('Time', planLink()),
        ToolName: { title: 'Tool', width: 160, link: planLink() },
        DurationMs: COLUMN.duration('Duration'),
        State: COLUMN.state,
        ErrorMessage: { title: 'Error' },
        ServiceName: { title: 'Service', width: 150 },
        PlanId: COLUMN.hidden,
      },
    }),
  ],
})
