import type { ExportQuery, ListQuery } from '../client/index.js'
import type { CommandLine, Options } from './command.js'
import { timeOption } from './option-values.js'

/** The options by which plans are chosen: the parameters of GET /api/facets, in a command line's spelling. */
export const planFilters = {
  state: {
    type: 'string',
    valueHint: 'STATE,…',
    description: 'Plans in these states alone, such as running,waiting',
  },
  since: {
    type: 'string',
    valueHint: 'T',
    description: 'Plans that started then or later: 2026-03-04, 2026-03-04T12:00:00Z, 90m, 24h or 7d ago',
  },
  until: { type: 'string', valueHint: 'T', description: 'Plans that started before, written likewise' },
  workflow: { type: 'string', valueHint: 'NAME', description: 'Plans of this workflow' },
  service: { type: 'string', valueHint: 'NAME', description: 'Plans with spans of this service' },
  agent: { type: 'string', valueHint: 'NAME', description: 'Plans with this agent' },
  tool: { type: 'string', valueHint: 'NAME', description: 'Plans with a call of this tool' },
  model: { type: 'string', valueHint: 'NAME', description: 'Plans with a call of this model' },
  error: {
    type: 'string',
    valueHint: 'any|TEXT',
    description: 'Plans in which anything failed, or with an error that has this text in its class or message',
  },
  'error-type': { type: 'string', valueHint: 'CLASS', description: 'Plans with an error of this class' },
  conversation: { type: 'string', valueHint: 'ID', description: 'Plans of this conversation or session' },
  text: {
    type: 'string',
    valueHint: 'TEXT',
    description:
      'Plans with this text in the first 500 characters of title or request, or the first 1,000 of the answer',
  },
  'min-risk': {
    type: 'string',
    valueHint: 'R',
    description: 'Plans in which a guardrail saw a risk at least as high',
  },
  'min-tokens': { type: 'string', valueHint: 'N', description: 'Plans with at least so many tokens' },
  'min-cost-usd': { type: 'string', valueHint: 'USD', description: 'Plans that cost at least so much' },
  'min-duration': { type: 'string', valueHint: 'D', description: 'Plans that took at least so long: 90s, 2h or 3d' },
  'min-wait': {
    type: 'string',
    valueHint: 'D',
    description: 'Plans that have waited for a person for at least so long',
  },
  dialect: {
    type: 'string',
    valueHint: 'DIALECT',
    description: 'Plans with records of this dialect alone: its imports, and live plans for plan-execution',
  },
  convention: {
    type: 'string',
    valueHint: 'NAME',
    description: 'Plans that another instrumentation told of by this convention, such as openinference',
  },
  source: { type: 'string', valueHint: 'NAME', description: 'Imports of this source alone' },
  trace: { type: 'string', valueHint: 'TRACE_ID', description: 'Plans of this trace alone' },
  all: { type: 'boolean', description: 'Every generation of an imported record, not the deciding one alone' },
} as const satisfies Options

/** What a list can be chosen and ordered by beside them. */
export const listFilters = {
  verdict: {
    type: 'string',
    valueHint: 'VERDICT',
    description: 'Plans whose record is complete, redacted, partial or altered; each is rebuilt to tell',
  },
  sort: {
    type: 'string',
    valueHint: 'BY',
    description: 'By start, duration, tokens, cost or risk (default: start)',
  },
  order: { type: 'string', valueHint: 'asc|desc', description: 'Least or most first (default: desc)' },
} as const satisfies Options

type Given = CommandLine<typeof planFilters & typeof listFilters>['options']

/** The filters among a command's options as the server's parameters, whose values the server checks. Throws `usage`. */
export function filtersOf(options: Partial<Given>): ListQuery & ExportQuery {
  const now = Date.now()
  const given = Object.keys({ ...planFilters, ...listFilters }).map((name) => {
    const value = options[name as keyof Given]
    const isTime = name === 'since' || name === 'until'
    return [parameterOf(name), isTime && typeof value === 'string' ? timeOption(name, value, now) : value]
  })
  return Object.fromEntries(given) as ListQuery & ExportQuery
}

/** `min-risk` → `minRisk`. */
const parameterOf = (option: string): string => option.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
