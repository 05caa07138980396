import { PLANSPAN_VERSION } from '../base/version.js'
import type { Command, Option } from './command.js'
import { styled } from './output/terminal.js'
import { wrapText } from './output/text-layout.js'

/** A row of the help: a name and its description. */
type Entry = readonly [name: string, description: string]

const INDENT = '  '
/** The longest name with its description on the same line; a longer name has it on the next line. */
const MAX_NAME = 24
/** On narrower terminals, all descriptions are below their names. */
const MIN_WIDTH = 60
const NARROW_COLUMN = 6

/** Formats the help of planspan: its commands. */
export function rootUsage(commands: Readonly<Record<string, { description: string }>>, width: number): string {
  const entries = Object.entries(commands).map(([name, { description }]): Entry => [name, description])
  return [
    `planspan ${PLANSPAN_VERSION}`,
    ...wrapText('The execution of plan-driven AI agents as OpenTelemetry spans, and the execution record back.', width),
    '',
    `${styled('bold', 'USAGE')} planspan COMMAND [OPTIONS]`,
    ...section('COMMANDS', entries, width),
    '',
    ...wrapText('`planspan COMMAND --help` shows the options of a command.', width),
  ].join('\n')
}

export interface CommandUsage {
  readonly name: string
  readonly description: string
  /** The width in columns. */
  readonly width: number
}

/** Formats the help of a command: its arguments and options. */
export function commandUsage(
  { argument, options, examples = [] }: Command,
  { name, description, width }: CommandUsage,
): string {
  const args: Entry[] = argument ? [[argument.name + (argument.isVariadic ? '…' : ''), argument.description]] : []
  const entries = Object.entries(options)
  const required = entries.filter(([, option]) => option.required).map(optionName)
  const call = ['planspan', name, ...required, '[OPTIONS]', ...args.map(([label]) => label)].join(' ')
  return [
    ...wrapText(description, width),
    '',
    `${styled('bold', 'USAGE')} ${call}`,
    ...section('ARGUMENTS', args, width),
    ...section(
      'OPTIONS',
      entries.map((entry): Entry => [optionName(entry), optionText(entry)]),
      width,
    ),
    ...(examples.length > 0 ? ['', styled('bold', 'EXAMPLES'), ...examples.map((example) => INDENT + example)] : []),
  ].join('\n')
}

const optionName = ([name, { type, valueHint = 'VALUE' }]: [string, Option]): string =>
  type === 'string' ? `--${name} ${valueHint}` : `--${name}`

const optionText = ([, { description, default: value = '' }]: [string, Option]): string =>
  value === '' ? description : `${description} (default: ${value})`

/** Formats entries below a heading, names and descriptions in columns; nothing if there are none. */
function section(heading: string, entries: readonly Entry[], width: number): string[] {
  if (entries.length === 0) return []
  const beside = width < MIN_WIDTH ? [] : entries.map(([name]) => name.length).filter((length) => length <= MAX_NAME)
  const longest = beside.reduce((most, length) => Math.max(most, length), 0)
  const column = longest === 0 ? NARROW_COLUMN : INDENT.length + longest + 2
  const lines = entries.flatMap(([name, description]) => {
    const [first = '', ...more] = wrapText(description, width - column)
    const below = more.map((line) => ' '.repeat(column) + line)
    const shown = INDENT + styled('cyan', name)
    if (name.length > longest) return [shown, ' '.repeat(column) + first, ...below]
    return [shown + ' '.repeat(longest - name.length + 2) + first, ...below]
  })
  return ['', styled('bold', heading), ...lines]
}
