import type { GraphEdge, GraphNode } from '../model/agent-graph.js'
import { countText, durationText, wholeCount } from '../model/quantity.js'
import { type Role, roleWord } from '../model/words.js'

/** The word for one or several spans of a role. */
const SPANS: Readonly<Record<Role, readonly [one: string, several: string]>> = {
  plan: ['run', 'runs'],
  planning: ['planning', 'plannings'],
  wait: ['wait', 'waits'],
  agent: ['run', 'runs'],
  think_act: ['cycle', 'cycles'],
  llm: ['call', 'calls'],
  guardrail: ['judged', 'judged'],
  tool: ['call', 'calls'],
}

export function spansWord({ role, spans }: Pick<GraphNode, 'role' | 'spans'>): string {
  const [one, several] = SPANS[role]
  return `${wholeCount(spans.length)} ${spans.length === 1 ? one : several}`
}

/** A node's cost beside its failures: its tokens, or else its time. */
export const tollOf = ({ tokens, duration }: GraphNode): string =>
  tokens > 0 ? `${countText(tokens)} tokens` : durationText(duration)

/** Describes a node in words. */
export function nodeWords(node: GraphNode): string {
  const { role, name, failures, tokens, duration, stopped, taken, state } = node
  return [
    `${roleWord(role)} ${name}: ${spansWord(node)}`,
    ...(failures > 0 ? [`${wholeCount(failures)} failed`] : []),
    ...(stopped > 0 ? [`${wholeCount(stopped)} stopped`] : []),
    ...(taken > 0 ? [`${wholeCount(taken)} taken although unsafe`] : []),
    ...(tokens > 0 ? [`${wholeCount(tokens)} tokens`] : []),
    `${durationText(duration)} in all`,
    ...(state === null ? [] : [state]),
  ].join(', ')
}

/** Describes an edge in words. */
export function edgeWords({ spans, failures, tokens, duration }: GraphEdge, from: GraphNode, to: GraphNode): string {
  return [
    `${from.name} → ${to.name}: ${wholeCount(spans.length)} ${spans.length === 1 ? 'call' : 'calls'}`,
    ...(failures > 0 ? [`${wholeCount(failures)} failed`] : []),
    ...(tokens > 0 ? [`${wholeCount(tokens)} tokens`] : []),
    `${durationText(duration)} in all`,
  ].join(', ')
}
