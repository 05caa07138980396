import type { SpanWriter } from '../../store/ingest/index.js'

/** A writer that does something more once a request is stored. */
export const afterWrite = (writer: SpanWriter, more: () => void): SpanWriter => ({
  async write(...request) {
    const result = await writer.write(...request)
    more()
    return result
  },
  check: writer.check,
  settled: writer.settled,
  takeOver: writer.takeOver,
  close: writer.close,
})
