import { z } from 'zod'

import { CONVENTIONS, DIALECT_NAMES } from '../../mapping/index.js'
import type { PlanFilters } from '../../store/index.js'
import {
  booleanParameter,
  durationParameter,
  numberParameter,
  statesParameter,
  timeParameter,
  wordParameter,
} from '../http/query.js'

/** A family's name, such as `plan-act`, stands for all its serialisations, such as `plan-act:sse`. */
const DIALECTS_AND_FAMILIES = [...new Set(DIALECT_NAMES.flatMap((name) => [name, name.replace(/:.*/, '')]))]

/** The value of `error` that stands for all errors. */
const ANY_ERROR = 'any'

/** The parameters that choose plans. */
export const FILTERS = {
  dialect: z
    .enum(DIALECTS_AND_FAMILIES)
    .exactOptional()
    .describe('Records of this dialect: its imports, and live plans for plan-execution.'),
  convention: z
    .enum(CONVENTIONS)
    .exactOptional()
    .describe('Plans that another instrumentation told of by this convention.'),
  source: z.string().exactOptional().describe('Imports of this source; empty for those that named none.'),
  trace: z.string().exactOptional().describe('Plans of this trace.'),
  state: statesParameter.exactOptional().describe('Plans in one of these states, separated by commas.'),
  workflow: wordParameter.exactOptional().describe('Plans of this workflow.'),
  service: wordParameter.exactOptional().describe('Plans with spans of this service.'),
  agent: wordParameter.exactOptional().describe('Plans with this agent.'),
  tool: wordParameter.exactOptional().describe('Plans with a call of this tool.'),
  model: wordParameter.exactOptional().describe('Plans with a call of this model, asked for or answering.'),
  error: z
    .string()
    .min(1)
    .exactOptional()
    .describe('`any`: plans in which anything failed; else a text in the class or message of an error in them.'),
  errorType: wordParameter.exactOptional().describe('Plans with an error of this class.'),
  conversation: wordParameter.exactOptional().describe('Plans of this conversation or session.'),
  minRisk: numberParameter.exactOptional().describe('Plans in which a guardrail saw a risk at least as high.'),
  minTokens: numberParameter.exactOptional().describe('Plans with at least so many tokens in all model calls.'),
  minCostUsd: numberParameter.exactOptional().describe('Plans that cost at least so many US dollars.'),
  minDuration: durationParameter.exactOptional().describe('Plans that took at least so long, such as 90s or 2h.'),
  minWait: durationParameter.exactOptional().describe('Plans that have waited for a person for at least so long.'),
  text: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      'Plans with this text in the first 500 characters of title or request, or the first 1,000 of the answer.',
    ),
  since: timeParameter.exactOptional().describe('Plans that started then or later, ISO 8601.'),
  until: timeParameter.exactOptional().describe('Plans that started before, ISO 8601.'),
  all: booleanParameter.exactOptional().describe('Every generation of an imported record, not the deciding one alone.'),
}

type AskedFilters = z.output<z.ZodObject<typeof FILTERS>>

/** What is asked for, at a time in Unix nanoseconds, in the words of the store. */
export function toPlanFilters(asked: AskedFilters, now: bigint): PlanFilters {
  const { state, agent, tool, model, service, conversation, workflow, errorType, ...others } = asked
  const { convention, error, minDuration, minWait, ...same } = others
  return {
    ...same,
    ...(state && { states: state }),
    ...(agent && { agents: agent }),
    ...(tool && { tools: tool }),
    ...(model && { models: model }),
    ...(service && { services: service }),
    ...(conversation && { conversations: conversation }),
    ...(workflow && { workflows: workflow }),
    ...(errorType && { errorTypes: errorType }),
    ...(convention !== undefined && { conventions: [convention] }),
    ...(error !== undefined && (error === ANY_ERROR ? { failed: true } : { errorText: error })),
    ...(minDuration !== undefined && { minDurationMs: minDuration }),
    ...(minWait !== undefined && { waitingSince: now - BigInt(Math.round(minWait * 1e6)) }),
  }
}
