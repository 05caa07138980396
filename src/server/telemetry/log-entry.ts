/** What is told of a server while it runs. Nothing in it is a secret, a query's text or a plan's content. */
export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error'
  /** What happened, in a word that stays the same, such as `plan_erased`. */
  readonly event: string
  /** The same for people. */
  readonly message: string
  readonly fields?: Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>
}

/** Takes what happens in a server, an entry at a time. */
export type Log = (entry: LogEntry) => void
