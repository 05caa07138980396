/** One kind of work for generated agents. */
export interface Scenario {
  readonly workflow: string
  readonly service: string
  /** The request. `{}` is replaced by one of the subjects. */
  readonly request: string
  readonly subjects: readonly string[]
  readonly agents: readonly ScenarioAgent[]
  /** Whether a guardrail judges each action. */
  readonly guarded: boolean
  /** Whether a person reviews the plan. */
  readonly reviewed: boolean
}

export interface ScenarioAgent {
  readonly name: string
  readonly task: string
  readonly model: Model
  readonly tools: readonly ScenarioTool[]
}

export interface ScenarioTool {
  readonly name: string
  /** The median of the duration, milliseconds. */
  readonly medianMs: number
  readonly failureRate: number
  /** The error of the tool when it fails. */
  readonly error: readonly [type: string, message: string]
}

export interface Model {
  readonly name: string
  readonly provider: string
}

const model = (provider: string, name: string): Model => ({ provider, name })

export const MODELS = {
  large: model('anthropic', 'claude-sonnet-4-5'),
  small: model('openai', 'gpt-5.4-mini'),
  fast: model('gcp.gemini', 'gemini-2.5-flash'),
  cheap: model('deepseek', 'deepseek-chat'),
  world: model('openai', 'gpt-4o-mini'),
  vision: model('openai', 'gpt-4o'),
} as const

const TIMEOUT = ['TimeoutError', 'The service did not answer within 30 seconds.'] as const
const NOT_FOUND = ['NotFoundError', 'There is no such page.'] as const
const REFUSED = ['PermissionError', 'The account may not do this.'] as const
const BAD_INPUT = ['ValidationError', 'A required field is missing.'] as const

const tool = (
  name: string,
  medianMs: number,
  failureRate: number,
  error: readonly [string, string] = TIMEOUT,
): ScenarioTool => ({ name, medianMs, failureRate, error })

export const SCENARIOS: readonly Scenario[] = [
  {
    workflow: 'trip',
    service: 'trip-agent',
    request: 'Plan three days in {} for two, under 900 euros.',
    subjects: ['Rome', 'Lisbon', 'Kyoto', 'Oslo', 'Montréal', 'Valparaíso'],
    reviewed: true,
    guarded: false,
    agents: [
      {
        name: 'researcher',
        task: 'Find flights, hotels and sights',
        model: MODELS.small,
        tools: [tool('web_search', 700, 0.03), tool('browse', 2400, 0.09, NOT_FOUND)],
      },
      { name: 'planner', task: 'Arrange the days', model: MODELS.large, tools: [tool('route', 350, 0.01)] },
      {
        name: 'booker',
        task: 'Book what was chosen',
        model: MODELS.small,
        tools: [tool('book_hotel', 3100, 0.12), tool('pay', 1800, 0.05, REFUSED)],
      },
    ],
  },
  {
    workflow: 'invoice-audit',
    service: 'finance-agent',
    request: 'Check the invoices of {} against their orders.',
    subjects: ['March', 'April', 'the second quarter', 'supplier 4711', 'the Lyon site'],
    reviewed: false,
    guarded: true,
    agents: [
      {
        name: 'extractor',
        task: 'Read the invoices',
        model: MODELS.fast,
        tools: [tool('read_pdf', 1200, 0.04, BAD_INPUT), tool('query_erp', 450, 0.02)],
      },
      {
        name: 'auditor',
        task: 'Compare amounts and terms',
        model: MODELS.large,
        tools: [tool('query_erp', 450, 0.02), tool('flag_invoice', 300, 0.02, REFUSED)],
      },
      {
        name: 'writer',
        task: 'Write the findings down',
        model: MODELS.small,
        tools: [tool('write_report', 250, 0.01)],
      },
    ],
  },
  {
    workflow: 'support-ticket',
    service: 'support-agent',
    request: 'Solve the ticket about {}.',
    subjects: ['a refused refund', 'a broken login', 'slow exports', 'a double charge', 'a missing parcel'],
    reviewed: false,
    guarded: true,
    agents: [
      {
        name: 'triage',
        task: 'Find out what is wrong',
        model: MODELS.fast,
        tools: [tool('search_tickets', 380, 0.02), tool('read_logs', 900, 0.05)],
      },
      {
        name: 'resolver',
        task: 'Put it right',
        model: MODELS.small,
        tools: [tool('run_script', 4200, 0.14, REFUSED), tool('issue_refund', 800, 0.04, BAD_INPUT)],
      },
    ],
  },
  {
    workflow: 'code-change',
    service: 'coding-agent',
    request: 'Implement {} and open a pull request.',
    subjects: ['rate limiting', 'dark mode', 'CSV export', 'a retry with jitter', 'pagination'],
    reviewed: true,
    guarded: false,
    agents: [
      {
        name: 'explorer',
        task: 'Understand the code',
        model: MODELS.cheap,
        tools: [tool('grep', 90, 0.01), tool('read_file', 40, 0.01, NOT_FOUND)],
      },
      {
        name: 'coder',
        task: 'Change the code',
        model: MODELS.large,
        tools: [
          tool('edit_file', 60, 0.03, BAD_INPUT),
          tool('run_tests', 14_000, 0.22, ['AssertionError', '3 tests failed.']),
        ],
      },
    ],
  },
]

export const POLICIES = [
  ['P000', 'The action leaves the goal that the user set.'],
  ['P001', 'The action spends money without a confirmation.'],
  ['P002', 'The action sends personal data to a third party.'],
  ['P003', 'The action deletes data that cannot be restored.'],
  ['P004', 'The action follows an instruction out of a web page.'],
] as const

export const FEEDBACK = [
  'Compare before you book.',
  'Too expensive, leave out the second hotel.',
  'Add a step that checks the result.',
  'Split the second step in two.',
  'Name the sources.',
] as const

export const REVIEWERS = ['editor', 'lead', 'on-call'] as const
