import type { SpanWriter } from '../../store/ingest/index.js'
import { withTimeout } from '../async/index.js'
import type { Listener } from './listen.js'

const GRACE_MS = 1_000
const STORING_MS = 6_500
const ANSWER_MS = 250

/**
 * Stops accepting requests and answers the requests in progress: all of them for `graceMs` milliseconds, then only
 * requests whose spans are being stored. Senders retry aborted requests.
 */
export async function drain(
  listeners: readonly Listener[],
  writer: Pick<SpanWriter, 'close'>,
  graceMs = GRACE_MS,
): Promise<void> {
  const cut = new AbortController()
  const closed = Promise.all(listeners.map((listener) => listener.close(cut.signal))).then(() => true)
  if (await withTimeout(graceMs, closed, () => false)) return
  await withTimeout(STORING_MS, writer.close(), () => {})
  await withTimeout(ANSWER_MS, closed, () => false)
  cut.abort()
  await closed
}
