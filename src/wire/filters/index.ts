/** The form of a filter's value. */
export type FilterKind =
  | 'states'
  | 'word'
  | 'anyText'
  | 'text'
  | 'dialect'
  | 'convention'
  | 'number'
  | 'duration'
  | 'time'
  | 'boolean'

/** A filter of plan lists. */
export interface PlanFilter {
  readonly kind: FilterKind
  /** The name of the filter on the page. */
  readonly title: string
  /** The placeholder of the value in the help of the command line. */
  readonly valueHint?: string
  /** Which plans the filter selects, without a full stop. */
  readonly description: string
}

/**
 * The filters of plan lists. Each line is the query parameter of the HTTP interface, the option of the command line (in
 * kebab case), the argument of the MCP tools and the filter of the page. All given filters apply together.
 */
export const PLAN_FILTERS = {
  state: { kind: 'states', title: 'State', valueHint: 'STATE,…', description: 'Plans in one of these states' },
  since: { kind: 'time', title: 'Since', valueHint: 'T', description: 'Plans that started at this time or later' },
  until: { kind: 'time', title: 'Until', valueHint: 'T', description: 'Plans that started before this time' },
  workflow: { kind: 'word', title: 'Workflow', valueHint: 'NAME', description: 'Plans of exactly this workflow' },
  service: {
    kind: 'word',
    title: 'Service',
    valueHint: 'NAME',
    description: 'Plans with spans of exactly this service',
  },
  agent: { kind: 'word', title: 'Agent', valueHint: 'NAME', description: 'Plans with an agent of exactly this name' },
  tool: { kind: 'word', title: 'Tool', valueHint: 'NAME', description: 'Plans with a call of exactly this tool' },
  model: {
    kind: 'word',
    title: 'Model',
    valueHint: 'NAME',
    description: 'Plans with a call of exactly this model, requested or answering',
  },
  error: {
    kind: 'text',
    title: 'Error',
    valueHint: 'any|TEXT',
    description:
      'any: plans in which anything failed, even if the plan recovered; otherwise plans with an error that contains this ' +
      'text in its class or message',
  },
  errorType: {
    kind: 'word',
    title: 'Error',
    valueHint: 'CLASS',
    description: 'Plans with an error of exactly this class, such as TimeoutError',
  },
  conversation: {
    kind: 'word',
    title: 'Conversation',
    valueHint: 'ID',
    description: 'Plans of this conversation or session',
  },
  text: {
    kind: 'text',
    title: 'Text',
    valueHint: 'TEXT',
    description:
      'Plans with this text in the first 500 characters of the title or request, the first 1,000 of the answer, or the ' +
      'class or message of an error',
  },
  minRisk: {
    kind: 'number',
    title: 'Risk at least',
    valueHint: 'R',
    description: 'Plans in which a guardrail reported at least this risk',
  },
  unsafeTaken: {
    kind: 'boolean',
    title: 'Unsafe, but done',
    description: 'Plans in which an action was executed although a guardrail found it unsafe',
  },
  minTokens: {
    kind: 'number',
    title: 'Tokens at least',
    valueHint: 'N',
    description: 'Plans with at least this many tokens in all model calls',
  },
  minCostUsd: {
    kind: 'number',
    title: 'Dollars at least',
    valueHint: 'USD',
    description: 'Plans that cost at least this many US dollars',
  },
  minDuration: {
    kind: 'duration',
    title: 'Took at least',
    valueHint: 'D',
    description: 'Plans that took at least this long',
  },
  minWait: {
    kind: 'duration',
    title: 'Waits for at least',
    valueHint: 'D',
    description: 'Plans that have been waiting for a person for at least this long',
  },
  dialect: {
    kind: 'dialect',
    title: 'Format',
    valueHint: 'DIALECT',
    description: 'Plans with records of this dialect: its imports, and live plans for plan-execution',
  },
  convention: {
    kind: 'convention',
    title: 'Instrumentation',
    valueHint: 'NAME',
    description: 'Plans from another instrumentation with this convention, such as openinference',
  },
  source: {
    kind: 'anyText',
    title: 'Source',
    valueHint: 'NAME',
    description: 'Plans imported from this source; empty for imports without a source',
  },
  trace: { kind: 'anyText', title: 'Trace', valueHint: 'TRACE_ID', description: 'Plans of this trace' },
  all: {
    kind: 'boolean',
    title: 'All imports',
    description: 'Plans of every import of a record, not only of the deciding import',
  },
} as const satisfies Readonly<Record<string, PlanFilter>>

export type PlanFilterName = keyof typeof PLAN_FILTERS

/** Returns what a filter selects and the form of its value, as a sentence. */
export function describedFilter({ kind, description }: PlanFilter, forms: Partial<Record<FilterKind, string>>): string {
  const form = forms[kind]
  return form === undefined ? description : `${description}: ${form}`
}
