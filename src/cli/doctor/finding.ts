/** The result of a check, with advice if there is a problem. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly text: string
}

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const warn = (text: string): Finding => ({ level: 'warn', text })
export const fail = (text: string): Finding => ({ level: 'fail', text })
