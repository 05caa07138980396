import { PlanspanError } from '../../error.js'
import type { Reserve, Store } from '../../store/index.js'
import type { SpanWriter } from '../../store/ingest/index.js'

/** The interval of looking for journals of other servers, and of retries while spans cannot be stored, milliseconds. */
const INTERVAL_MS = 60_000
const RETRY_MS = 2_000

/**
 * Stores the journals of crashed servers in the tables, now and periodically once no server writes to them, and checks
 * the space for spans. A full disk frees the reserve, because the indexer needs space, too. If this fails, `onError`
 * receives the reason, and the server serves readers meanwhile. Returns a function that stops this.
 */
export async function keepJournal(
  writer: Pick<SpanWriter, 'takeOver'>,
  {
    checkRoom,
    reserve,
    onError,
  }: Pick<Store, 'checkRoom'> & {
    readonly reserve: Reserve | undefined
    readonly onError: (message: string) => void
  },
): Promise<() => void> {
  let which: 'all' | 'orphaned' = 'all'
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const look = async (): Promise<void> => {
    let pauseMs = INTERVAL_MS
    try {
      await writer.takeOver(which)
      which = 'orphaned'
      await checkRoom()
      await reserve?.restore()
    } catch (error) {
      pauseMs = RETRY_MS
      if (error instanceof PlanspanError && error.code === 'disk_full') reserve?.release()
      onError(error instanceof Error ? error.message : String(error))
    }
    if (!isStopped) timer = setTimeout(() => void look(), pauseMs).unref()
  }
  await look()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
