import { decodeFields, eventFields, EVENTS, type SpanEvent } from '../../../semconv/index.js'
import { jsonArray, jsonNumber, jsonString, type JsonNode, type JsonObject } from '../../json/index.js'
import { storedValues, type HomeValues, ofSpan } from '../../record-object/index.js'
import { nearest, type SpanNode } from '../../tree/index.js'
import { writeContent, writeResults } from './results.js'
import { eraNamed, type AtifEra } from './era.js'

/** Rebuilds a trajectory from its spans, with the trajectories embedded in it. */
export function decodeAtif(root: SpanNode, eraName: string): JsonObject {
  const era = eraNamed(eraName)
  const unwritten: (readonly [SpanNode, JsonObject])[] = []
  const objectOf = (node: SpanNode): JsonObject => {
    const object: JsonObject = { kind: 'object', members: [] }
    unwritten.push([node, object])
    return object
  }
  const document = objectOf(root)
  for (let next = unwritten.pop(); next; next = unwritten.pop()) {
    const [node, object] = next
    Object.assign(object, trajectoryObject(node, era, objectOf))
  }
  return document
}

function trajectoryObject(node: SpanNode, era: AtifEra, objectOf: (subPlan: SpanNode) => JsonObject): JsonObject {
  const values: HomeValues<'plan'> = storedValues(node)
  const [agent] = nearest(node, 'agent')
  const turns = (agent ? nearest(agent, 'think_act') : []).map((step) => stepObject(step, era))
  const messages = node.span.events.filter(({ name }) => name === EVENTS.message)
  const steps = [...turns, ...messages.map((message) => messageObject(message, values, era))]
  const subPlans = nearest(node, 'plan', ['agent', 'think_act', 'tool'])
  const parts = {
    agent: agent && agentObject(agent, era),
    steps: jsonArray(steps.sort((a, b) => (a.slot ?? 0) - (b.slot ?? 0))),
    subagent_trajectories: subPlans.length > 0 ? jsonArray(subPlans.map(objectOf)) : undefined,
  }
  return ofSpan(node, era.objects.trajectory.write({ plan: values, parts }))
}

function agentObject(node: SpanNode, { objects }: AtifEra): JsonObject | undefined {
  const object = objects.agent.writeUnlessEmpty({ agent: storedValues(node) })
  return object && ofSpan(node, object)
}

function messageObject(
  { attributes }: SpanEvent<string>,
  { request }: HomeValues<'plan'>,
  { objects }: AtifEra,
): JsonObject {
  const values = decodeFields(eventFields, attributes)
  const text = values.contentIn === 'request' ? request : values.content
  const object = objects.message.write({
    event: values,
    parts: {
      step_id: values.seq === undefined ? undefined : jsonNumber(String(values.seq + 1)),
      message: writeContent({ text, parts: values.contentParts }),
    },
  })
  return values.seq === undefined ? object : { ...object, slot: values.seq }
}

const AGENT: JsonNode = jsonString('agent')

function stepObject(node: SpanNode, era: AtifEra): JsonObject {
  const { objects } = era
  const values: HomeValues<'think_act'> = storedValues(node)
  const call = nearest(node, 'llm').at(-1)
  const llm: HomeValues<'llm'> = call ? storedValues(call) : {}
  const tools = nearest(node, 'tool').map((tool) => [tool, storedValues(tool) as HomeValues<'tool'>] as const)
  const calls = tools.map(([tool, values]) => ofSpan(tool, objects.toolCall.write({ tool: values })))
  const results = writeResults(
    tools.map(([, values]) => values),
    values,
    era,
  )
  const spoken = { text: llm.output ?? values.actionDescription, parts: llm.outputItems ?? values.messageParts }
  const parts = {
    source: AGENT,
    message: writeContent(spoken),
    tool_calls: calls.length > 0 ? jsonArray(calls) : undefined,
    results,
  }
  return ofSpan(node, objects.step.write({ think_act: values, llm, parts }))
}
