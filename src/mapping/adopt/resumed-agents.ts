import { ATTR } from '../../semconv/index.js'
import { objectIn } from './values/json-data.js'
import { derivedNode, extendOver } from './derived-node.js'
import { isResumed } from './mastra.js'
import { absorb, above, type AdoptNode, move, nearestBelow } from './adopt-node.js'

const OUTPUT = 'mastra.agent_run.output'
const STEP = 'mastra.model_step.step_index'

/**
 * Joins an agent that waited for a person with the run below it that resumed with the answer: they are one agent with a
 * wait.
 */
export function joinResumedAgents(nodes: readonly AdoptNode[]): void {
  for (const node of nodes) {
    const agent = node.own === undefined && node.kind === 'agent' && isResumed(node) ? above(node) : undefined
    if (agent?.kind === 'agent') goOn(agent, node)
  }
  for (const node of nodes) {
    if (node.own === undefined && node.kind === 'agent' && isSuspended(node)) addOpenWait(node)
  }
}

const isSuspended = ({ span }: AdoptNode): boolean => objectIn(span.attributes[OUTPUT])?.['status'] === 'suspended'

function goOn(agent: AdoptNode, run: AdoptNode): void {
  const wait = waitOf(agent)
  const before = nearestBelow(agent).filter((node) => node !== run)
  const asked = before.reduce((end, { span }) => (span.endTimeUnixNano > end ? span.endTimeUnixNano : end), 0n)
  const answered = run.span.startTimeUnixNano
  wait.span = { ...wait.span, startTimeUnixNano: asked < answered ? asked : answered, endTimeUnixNano: answered }
  wait.attributes[ATTR.state] = 'completed'
  hang(wait, agent)
  repeatSteps(before, nearestBelow(run))
  absorb(agent, run)
  extendOver(agent, [run])
  const { [OUTPUT]: result = '' } = run.span.attributes
  agent.span = { ...agent.span, attributes: { ...agent.span.attributes, [OUTPUT]: result } }
}

/** Adds the open wait of an agent whose question is unanswered. */
function addOpenWait(agent: AdoptNode): void {
  const wait = waitOf(agent)
  wait.span = { ...wait.span, startTimeUnixNano: agent.span.endTimeUnixNano }
  for (const { attributes } of [wait, agent]) attributes[ATTR.state] = 'waiting'
  wait.attributes[ATTR.waitWaiting] = 'true'
  hang(wait, agent)
}

/** A plan waits if one of its agents does. */
function hang(wait: AdoptNode, agent: AdoptNode): void {
  const plan = above(agent)
  move(wait, plan?.kind === 'plan' ? plan : agent)
}

function waitOf(agent: AdoptNode): AdoptNode {
  const { reason, toolName } = objectIn(agent.span.attributes[OUTPUT]) ?? {}
  const wait = derivedNode('wait', agent.span)
  wait.attributes[ATTR.waitWaiting] = 'false'
  if (reason === 'tool-call-approval') wait.attributes[ATTR.waitReason] = 'tool_approval'
  if (typeof toolName === 'string') wait.attributes[ATTR.waitTitle] = toolName
  return wait
}

/** The resumed run repeats the interrupted step completely, so the interrupted part is dropped. */
function repeatSteps(before: readonly AdoptNode[], after: readonly AdoptNode[]): void {
  for (const step of before) {
    const index = step.kind === 'think_act' ? step.span.attributes[STEP] : undefined
    const again = index === undefined ? undefined : after.find(({ span }) => span.attributes[STEP] === index)
    if (!again) continue
    const call = nearestBelow(again).find(({ kind }) => kind === 'llm')
    for (const broken of nearestBelow(step)) if (call && broken.kind === 'llm') absorb(call, broken)
    absorb(again, step)
  }
}
