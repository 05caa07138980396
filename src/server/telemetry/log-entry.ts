/** An event in a running server. It contains no secrets, no texts of queries and no contents of plans. */
export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error'
  /** A stable name of the event, such as `plan_erased`. */
  readonly event: string
  /** The event for people. */
  readonly message: string
  readonly fields?: Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>
}

/** Receives the events of a server, one at a time. */
export type Log = (entry: LogEntry) => void
