import { once } from 'node:events'
import process from 'node:process'

import type { PartFile } from './part-file.js'

/** Standard output, waited for where its reader is slower; one that has read enough closes it. */
export const STANDARD_OUTPUT: PartFile = {
  isClosed: () => process.stdout.destroyed,
  async write(text) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain').catch(() => {})
  },
  finish: async () => {},
  close: async () => {},
  discard: async () => {},
}
