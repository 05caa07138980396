import { parseArgs } from 'node:util'

import { PlanspanError } from '../error.js'
import type { ExitCode } from './exit-code.js'

/** An option of `node:util` parseArgs, with its text for the help. */
export interface Option {
  readonly type: 'string' | 'boolean'
  readonly description: string
  /** @default VALUE */
  readonly valueHint?: string
  readonly default?: string
  readonly required?: true
  /** Whether it may be repeated; its value is then a list. */
  readonly multiple?: true
}

export type Options = Readonly<Record<string, Option>>

/** The parsed command line after a command's name. */
export interface CommandLine<O extends Options = Options> {
  readonly options: ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>['values']
  /** Exactly one for an argument that is not variadic. */
  readonly args: readonly string[]
}

/** A command. Its name and description are in the list of commands, so listing commands does not load it. */
export interface Command<O extends Options = Options> {
  readonly argument?: {
    readonly name: string
    readonly description: string
    readonly isVariadic?: true
    /** The values, or the first words, that it accepts. */
    readonly values?: readonly string[]
  }
  /** Command lines for the help. */
  readonly examples?: readonly string[]
  readonly options: O
  run(commandLine: CommandLine<O>): Promise<ExitCode>
}

/** Declares a command and infers the types of its options' values. */
export const defineCommand = <const O extends Options>(command: Command<O>): Command<O> => command

/** Parses the command line after a command's name. Throws `usage`. */
export function parseCommandLine(name: string, { argument, options }: Command, rest: readonly string[]): CommandLine {
  const { values, positionals: args } = parse(name, options, rest)
  const extra = argument?.isVariadic ? [] : args.slice(argument ? 1 : 0)
  if (extra.length > 0) {
    throw wrongUsage(`Unexpected ${extra.map((arg) => JSON.stringify(arg)).join(', ')}`, name)
  }
  if (argument && !argument.isVariadic && args.length === 0) {
    throw wrongUsage(`Missing required positional argument: ${argument.name}`, name)
  }
  const missing = Object.keys(options).find((option) => options[option]?.required && values[option] === undefined)
  if (missing !== undefined) throw wrongUsage(`Missing required argument: --${missing}`, name)
  return { options: values, args }
}

/** The error for a wrong command line; it points to the command's help, or to planspan's own. */
export function wrongUsage(message: string, command?: string): PlanspanError {
  const help = command === undefined ? 'planspan --help' : `planspan ${command} --help`
  return new PlanspanError('usage', `${message.replace(/[^.?]$/, '$&.')} See \`${help}\`.`)
}

function parse(name: string, options: Options, rest: readonly string[]) {
  try {
    return parseArgs({ args: joinNegativeNumbers(rest), options, allowPositionals: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // For an unknown option, Node's message also explains how to pass a file of that name.
    throw wrongUsage(error.message.replace(/ To specify a positional argument[^]*/, ''), name)
  }
}

/** Turns `--index -1` into `--index=-1`, because Node's parser treats `-1` as an option. */
function joinNegativeNumbers(args: readonly string[]): string[] {
  const joined: string[] = []
  for (const arg of args) {
    const option = joined.at(-1)
    if (/^-\d/.test(arg) && option !== undefined && /^--[^=]+$/.test(option)) joined.splice(-1, 1, `${option}=${arg}`)
    else joined.push(arg)
  }
  return joined
}
