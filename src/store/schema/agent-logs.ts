import { CODING_AGENTS, PROMPT_KEYS, SESSION_KEYS } from '../../mapping/index.js'
import { listLiteral, literal } from '../client/sql-file.js'

const firstOf = (keys: readonly string[]): string =>
  `arrayFirst(id -> id != '', arrayMap(key -> LogAttributes[key], ${listLiteral(keys)}))`

const EVENTS = CODING_AGENTS.flatMap((agent) => agent.events.map((event) => ({ agent, event })))

/** Which log records of coding agents are parts of plans, and which plan a record belongs to, as SQL. */
export const AGENT_LOG_PARTS = {
  agent_session: firstOf(SESSION_KEYS),
  agent_prompt: firstOf(PROMPT_KEYS),
  agent_event_names: `(${[...new Set(EVENTS.map(({ event }) => literal(event.name)))].join(', ')})`,
  agent_events: EVENTS.map(({ agent, event }) => {
    const conditions = [
      `Name = ${literal(event.name)}`,
      ...(agent.hasPlanSpans ? ["log.TraceId = ''"] : []),
      ...(event.with === undefined ? [] : [`mapContains(LogAttributes, ${literal(event.with)})`]),
    ]
    return `(${conditions.join(' AND ')})`
  }).join(' OR '),
}

/** Selects the log records of coding agents in traces, by the ids that the view of these records computes. */
export const inAgentTraces = (traceIds: string): string => {
  const { agent_session: session, agent_prompt: prompt } = AGENT_LOG_PARTS
  const isOfAgent = SESSION_KEYS.map((key) => `mapContains(LogAttributes, ${literal(key)})`).join(' OR ')
  return `(${isOfAgent}) AND lower(hex(sipHash128(${session}, ${prompt}))) IN ${traceIds}`
}
