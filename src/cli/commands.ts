import type { Command } from './command.js'

/** A command in the help; its module is loaded when it is run. */
export interface ListedCommand {
  readonly description: string
  load(): Promise<{ readonly command: Command }>
}

/** All commands by name, in the order of the help. */
export const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  serve: {
    description: 'Receive spans over OTLP and serve records over HTTP',
    load: () => import('./serve/serve.js'),
  },
  demo: {
    description: 'Run a sample agent, store its spans and rebuild its record',
    load: () => import('./demo/demo.js'),
  },
  import: { description: 'Send records as spans over OTLP', load: () => import('./import/import.js') },
  follow: {
    description: 'Keep importing the records that a system writes or serves',
    load: () => import('./follow/follow.js'),
  },
  validate: {
    description: 'Check records and count the valid ones',
    load: () => import('./records/validate.js'),
  },
  replay: {
    description: 'Summarize one record: its plan, steps, reviews, tokens and risk',
    load: () => import('./replay/replay.js'),
  },
  list: { description: 'List the plans in the store, the newest first', load: () => import('./list/list.js') },
  show: {
    description: 'Show a plan: its exact record when piped, its tree on a terminal',
    load: () => import('./show/show.js'),
  },
  open: { description: 'Print links to plans on the server’s page', load: () => import('./open.js') },
  export: {
    description: 'Write the records of many plans as JSON lines',
    load: () => import('./export/export-command.js'),
  },
  compare: {
    description: 'Compare plans: what each did, where they diverge, and what it cost',
    load: () => import('./compare/compare.js'),
  },
  check: {
    description: 'Check stored plans by rules, such as the order of tools, budgets and reviews',
    load: () => import('./check/check.js'),
  },
  delete: { description: 'Erase a plan from the store', load: () => import('./delete.js') },
  verify: {
    description: 'Send records as spans, rebuild them from the store and compare whole files',
    load: () => import('./verify/verify.js'),
  },
  generate: {
    description: 'Send sample plans of all systems, for demos, dashboards and benchmarks',
    load: () => import('./generate.js'),
  },
  mcp: {
    description: 'Let an assistant read the plans: an MCP server on standard input and output',
    load: () => import('./mcp.js'),
  },
  token: {
    description: 'Create, list and revoke the tokens of `planspan serve --tokens`',
    load: () => import('./token/token-command.js'),
  },
  tenant: {
    description: 'Create, list and drop tenants: separate databases, which tokens name',
    load: () => import('./tenant/tenant-command.js'),
  },
  schema: {
    description: 'Print the SQL of the store’s tables and views',
    load: () => import('./store/print-schema.js'),
  },
  index: {
    description: 'Index the spans of a store that is not served, or index traces again',
    load: () => import('./store/index-spans.js'),
  },
  'set-aside': {
    description: 'Set aside spans of implausible days that slow down the start of an embedded store',
    load: () => import('./store/set-aside-days.js'),
  },
  backup: {
    description: 'Copy an embedded store into a file, even while it is served',
    load: () => import('./store/backup.js'),
  },
  restore: { description: 'Create an embedded store from a backup', load: () => import('./store/restore.js') },
  doctor: { description: 'Check this machine, the server and its store', load: () => import('./doctor/doctor.js') },
  completion: {
    description: 'Print shell completion for bash, zsh or fish',
    load: () => import('./completion/completion.js'),
  },
}
