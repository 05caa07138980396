import process from 'node:process'
import { stripVTControlCharacters, styleText } from 'node:util'

import { readEnvironment } from '../cli-environment.js'

type Style = Parameters<typeof styleText>[0]

/** Writes to standard output. */
export const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** Writes a line that is not part of the command's result to standard error. */
export const note = (text: string): void => {
  process.stderr.write(`${process.stderr.isTTY === true ? text : stripVTControlCharacters(text)}\n`)
}

/** Whether standard output is a terminal. */
export const isTerminal = (): boolean => process.stdout.isTTY === true

/** The terminal's width in columns. */
export const terminalWidth = (): number => process.stdout.columns || 80

/** Styles text, if the terminal shows colors. */
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

/** Colors a state or verdict: green for success, yellow for attention, red for failure. */
export function styledState(state: string): string {
  const style = STYLES[state]
  return style === undefined ? state : styled(style, state)
}
