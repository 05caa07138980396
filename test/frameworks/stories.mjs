// The stories, for runners in JavaScript: `node NAME/play.mjs ENDPOINT MODEL STORY`
import { readFileSync } from 'node:fs'

export const [, , endpoint, modelUrl, story = ''] = process.argv
const STORIES = JSON.parse(readFileSync(new URL('stories.json', import.meta.url), 'utf8'))
const traceIds = new Set()

/** Records a trace of the story. */
export const noteTrace = (traceId) => void traceIds.add(traceId)

/** A span processor that records all trace ids. */
export const traces = {
  onStart: (span) => noteTrace(span.spanContext().traceId),
  onEnd() {},
  forceFlush: async () => {},
  shutdown: async () => {},
}

/** Plays the story, whose agents and tools are named, and prints the answer and the ids of its traces. */
export async function play(run) {
  const { agents, ...rest } = STORIES[story]
  const named = Object.entries(agents).map(([name, { instructions, tools }]) => ({
    name,
    instructions,
    tools: Object.entries(tools).map(([name, tool]) => ({ name, ...tool })),
  }))
  const byName = Object.fromEntries(named.map((agent) => [agent.name, agent]))
  const answer = await run({ ...rest, first: named[0], agents: byName })
  console.log(JSON.stringify({ traceIds: [...traceIds], answer }))
}
