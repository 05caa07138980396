// The stories, for runners in JavaScript: `node NAME/play.mjs ENDPOINT MODEL STORY`
import { readFileSync } from 'node:fs'

export const [, , endpoint, modelUrl, name = ''] = process.argv
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

/**
 * Plays the story with `run`, which gets its agents and tools with their names and a signal that cancels it. Prints the
 * answers, an error that ended it, and the ids of its traces.
 */
export async function play(run) {
  const { agents, request, then = [], ...rest } = STORIES[name]
  const named = Object.entries(agents).map(([name, agent]) => ({
    name,
    ...agent,
    tools: Object.entries(agent.tools).map(([name, tool]) => ({ name, ...tool })),
  }))
  const byName = Object.fromEntries(named.map((agent) => [agent.name, agent]))
  const controller = new AbortController()
  if (rest.cancelled) void fetch(`${modelUrl}/delayed`).then(() => controller.abort())
  const answers = []
  let error = null
  try {
    for (const each of [request, ...then]) {
      const story = { ...rest, request: each, first: named[0], agents: byName, signal: controller.signal }
      answers.push((await run(story)) ?? null)
    }
  } catch (thrown) {
    if (!controller.signal.aborted) error = String(thrown)
  }
  console.log(JSON.stringify({ traceIds: [...traceIds], answers, error }))
}
