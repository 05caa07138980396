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

/** Text from outside on one line, without what would steer the terminal, cut at a length in characters. */
export const oneLine = (text: string, length = Number.POSITIVE_INFINITY): string =>
  cut(text.replaceAll(/[\s\u0000-\u001F\u007F-\u009F]+/g, ' ').trim(), length)

/** Text of at most so many characters, with an ellipsis where it was longer. */
export function cut(text: string, length: number): string {
  const characters = [...text]
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text
}
