/** What a check found, with what to do unless all is well. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly text: string
}
