import { once } from 'node:events'
import process from 'node:process'

import type { PartFile } from './part-file.js'

/** Standard output, with backpressure; the reader may close it early. */
export const STANDARD_OUTPUT: PartFile = {
  isClosed: () => process.stdout.destroyed,
  async write(text) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain').catch(() => {})
  },
  finish: async () => {},
  close: async () => {},
  discard: async () => {},
}
