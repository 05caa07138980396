import { PlanspanError } from '../error.js'

/** The error for a store without room for spans. */
export const noRoom = (said: string, cause?: unknown): PlanspanError =>
  new PlanspanError(
    'disk_full',
    `ClickHouse's disk is full (${said}): no spans can be stored, while reading goes on. Free some space; nothing has to be ` +
      'started again.',
    { cause },
  )
