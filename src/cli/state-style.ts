import type { styleText } from 'node:util'

import { styled } from './terminal.js'

const STYLES: Readonly<Record<string, Parameters<typeof styleText>[0]>> = {
  completed: 'green',
  complete: 'green',
  failed: 'red',
  altered: 'red',
  interrupted: 'red',
  cancelled: 'yellow',
  waiting: 'yellow',
  partial: 'yellow',
  redacted: 'yellow',
  running: 'cyan',
  planning: 'cyan',
  updating: 'cyan',
}

/** A state or verdict in the colour that tells how it went. */
export function styledState(state: string): string {
  const style = STYLES[state]
  return style === undefined ? state : styled(style, state)
}
