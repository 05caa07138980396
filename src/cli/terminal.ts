import process from 'node:process'
import { stripVTControlCharacters, styleText } from 'node:util'

import { readEnvironment } from './environment.js'

type Style = Parameters<typeof styleText>[0]

/** Writes to standard output. */
export const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** Writes to standard error: what is not the command's result. */
export const note = (text: string): void => {
  process.stderr.write(`${process.stderr.isTTY === true ? text : stripVTControlCharacters(text)}\n`)
}

/** Whether a person reads standard output. */
export const isTerminal = (): boolean => process.stdout.isTTY === true

/** The terminal's width in columns. */
export const terminalWidth = (): number => process.stdout.columns || 80

/** Text in a colour where a person reads it and wants colours. */
export const styled = (style: Style, text: string): string =>
  isTerminal() && !readEnvironment().noColor ? styleText(style, text) : text

const STYLES: Readonly<Record<string, Style>> = {
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
