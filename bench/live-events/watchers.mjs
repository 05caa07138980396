// Three ways to learn of what an agent does. Each calls `seen(text)` with whatever comes, `known(text)` with what was
// there when it began, and ends by a signal.
import { setTimeout as delay } from 'node:timers/promises'

const SECOND = 1000

/** Asks until it is answered with 200. */
async function answer(url, signal) {
  for (;;) {
    const response = await fetch(url, { signal })
    if (response.status === 200) return response
    await response.arrayBuffer()
    await delay(SECOND, undefined, { signal })
  }
}

const untilEnded = async (signal, work) => {
  try {
    await work()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

export const watchers = {
  'events over SSE': ({ server, planId, signal, seen, known }) =>
    untilEnded(signal, async () => {
      const { body } = await answer(`${server}/api/records/${planId}/events`, signal)
      const decoder = new TextDecoder()
      let take = known
      for await (const chunk of body) {
        const text = decoder.decode(chunk, { stream: true })
        take(text)
        if (text.includes(': up to date')) take = seen
      }
    }),

  'the record, each second': ({ server, planId, signal, seen, known }) =>
    untilEnded(signal, async () => {
      for (let take = known; ; take = seen) {
        take(await (await answer(`${server}/api/records/${planId}`, signal)).text())
        await delay(SECOND, undefined, { signal })
      }
    }),

  'SQL over ended spans, each second': ({ clickhouse, database, planId, signal, seen }) =>
    untilEnded(signal, async () => {
      const query =
        `SELECT SpanAttributes FROM ${database}.otel_traces WHERE startsWith(SpanName, 'execute_tool') ` +
        `AND SpanAttributes['planspan.plan.id'] = '${planId}' AND SpanAttributes['planspan.span.state'] = '' FORMAT JSONEachRow`
      const { origin, username, password } = new URL(clickhouse)
      const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` }
      for (;;) {
        seen(await (await fetch(origin, { method: 'POST', body: query, headers, signal })).text())
        await delay(SECOND, undefined, { signal })
      }
    }),
}
