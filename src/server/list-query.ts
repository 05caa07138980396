import { z } from 'zod'

import { DIALECT_NAMES } from '../mapping/index.js'
import type { ListPlansOptions } from '../store/index.js'
import { booleanParameter, statesParameter, timeParameter, wordParameter } from './query.js'

/** A family's name, such as `plan-act`, stands for all its serialisations, such as `plan-act:sse`. */
const DIALECTS_AND_FAMILIES = [...new Set(DIALECT_NAMES.flatMap((name) => [name, name.replace(/:.*/, '')]))]

/** The parameters by which a list is filtered. */
export const LIST_FILTERS = {
  dialect: z.enum(DIALECTS_AND_FAMILIES).exactOptional(),
  source: z.string().exactOptional(),
  trace: z.string().exactOptional(),
  agent: wordParameter.exactOptional(),
  tool: wordParameter.exactOptional(),
  model: wordParameter.exactOptional(),
  service: wordParameter.exactOptional(),
  conversation: wordParameter.exactOptional(),
  text: z.string().min(1).exactOptional(),
  state: statesParameter.exactOptional(),
  since: timeParameter.exactOptional(),
  until: timeParameter.exactOptional(),
  all: booleanParameter.exactOptional(),
} satisfies z.ZodRawShape

type ListFilters = z.output<z.ZodObject<typeof LIST_FILTERS>>

/** The filters as the store takes them. */
export function toListOptions(filters: ListFilters): ListPlansOptions {
  const { state, agent, tool, model, service, conversation, ...options } = filters
  return {
    ...options,
    ...(state && { states: state }),
    ...(agent && { agents: agent }),
    ...(tool && { tools: tool }),
    ...(model && { models: model }),
    ...(service && { services: service }),
    ...(conversation && { conversations: conversation }),
  }
}
