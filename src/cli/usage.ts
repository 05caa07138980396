import type { ArgDef, CommandDef } from 'citty'

import { planspanVersion } from '../server/version.js'
import { styled } from './terminal.js'
import { wrapText } from './wrap-text.js'

/** A line of a usage text: a name and what is said of it. */
type Entry = readonly [name: string, description: string]

const INDENT = '  '
/** Names longer than this have what is said of them below; all have it on terminals narrower than this. */
const MAX_NAME = 24
const MIN_WIDTH = 60
const NARROW_COLUMN = 6

interface UsageOptions {
  /** Columns. */
  readonly width: number
}

/** What planspan does: its commands. */
export function rootUsage(commands: Readonly<Record<string, CommandDef>>, { width }: UsageOptions): string {
  const entries = Object.entries(commands).map(([name, command]): Entry => [name, descriptionOf(command)])
  return [
    `planspan ${planspanVersion()}`,
    ...wrapText('The execution of plan-driven AI agents as OpenTelemetry spans, and the execution record back.', width),
    '',
    `${styled('bold', 'USAGE')} planspan COMMAND [OPTIONS]`,
    ...section('COMMANDS', entries, width),
    '',
    ...wrapText('`planspan COMMAND --help` tells the options of a command.', width),
  ].join('\n')
}

/** What one command does: its arguments and options. */
export function commandUsage(
  name: string,
  command: CommandDef,
  { width, variadic }: UsageOptions & { readonly variadic: boolean },
): string {
  const args = Object.entries((command.args ?? {}) as Record<string, ArgDef>)
  const positionals = args
    .filter(([, { type }]) => type === 'positional')
    .map(([key, def]): Entry => [variadic ? 'FILE…' : key.toUpperCase(), def.description ?? ''])
  const options = args
    .filter(([, { type }]) => type !== 'positional')
    .map(([key, def]): Entry => [optionName(key, def), optionText(def)])
  const required = args.flatMap(([key, def]) => (def.type === 'string' && def.required ? [optionName(key, def)] : []))
  const call = ['planspan', name, ...required, '[OPTIONS]', ...positionals.map(([positional]) => positional)].join(' ')
  return [
    ...wrapText(descriptionOf(command), width),
    '',
    `${styled('bold', 'USAGE')} ${call}`,
    ...section('ARGUMENTS', positionals, width),
    ...section('OPTIONS', options, width),
  ].join('\n')
}

const descriptionOf = ({ meta }: CommandDef): string =>
  (meta as { description?: string } | undefined)?.description ?? ''

const optionName = (key: string, def: ArgDef): string =>
  def.type === 'string' ? `--${key} ${def.valueHint ?? 'VALUE'}` : `--${key}`

const optionText = ({ description = '', default: value }: ArgDef): string =>
  typeof value === 'string' && value !== '' ? `${description} (default: ${value})` : description

/** Entries below a heading, names and descriptions in columns; nothing where there are none. */
function section(heading: string, entries: readonly Entry[], width: number): string[] {
  if (entries.length === 0) return []
  const beside = width < MIN_WIDTH ? [] : entries.map(([name]) => name.length).filter((length) => length <= MAX_NAME)
  const longest = Math.max(0, ...beside)
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
