import { runCommand, type ArgDef, type CommandDef } from 'citty'
import process from 'node:process'
import { parseArgs } from 'node:util'

import { PlanspanError } from '../error.js'
import { planspanVersion } from '../server/version.js'
import { COMMANDS, type LazyCommand } from './commands.js'
import { EXIT, exitCodeOf, type ExitCode } from './exit-code.js'
import { note, print, styled, terminalWidth } from './terminal.js'
import { StoppedBySignal } from './until-stopped.js'
import { commandUsage, rootUsage } from './usage.js'

const HELP = new Set(['--help', '-h'])
const VERSION = new Set(['--version', '-v'])

/** Runs what the command line says and returns the exit code. Never throws: what went wrong is on standard error. */
export async function runCli(rawArgs: readonly string[]): Promise<ExitCode> {
  const [name, ...rest] = rawArgs[0] === 'help' ? helpArguments(rawArgs[1]) : rawArgs
  if (name === undefined || HELP.has(name)) {
    print(rootUsage(await loadAll(), { width: terminalWidth() }))
    return name === undefined ? EXIT.usage : EXIT.done
  }
  if (VERSION.has(name)) {
    print(planspanVersion())
    return EXIT.done
  }
  const lazy = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!lazy) {
    return usageError(
      `There is no command ${JSON.stringify(name)}. Commands are ${Object.keys(COMMANDS).join(', ')}.`,
      'planspan --help',
    )
  }
  try {
    return await runNamed(name, lazy, joinNegativeNumbers(rest))
  } catch (error) {
    if (error instanceof StoppedBySignal) return endBy(error)
    note(`${styled('red', 'Error:')} ${describe(error)}`)
    return exitCodeOf(error)
  }
}

const helpArguments = (command: string | undefined): string[] =>
  command === undefined ? ['--help'] : [command, '--help']

/** Nothing handles the signal any more, so that it ends the process as whoever sent it expects. */
function endBy({ signal }: StoppedBySignal): ExitCode {
  process.kill(process.pid, signal)
  return EXIT.different
}

async function runNamed(name: string, lazy: LazyCommand, rest: readonly string[]): Promise<ExitCode> {
  const command = await lazy.load()
  const variadic = lazy.variadic === true
  const options = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : rest.length)
  if (options.some((arg) => HELP.has(arg))) {
    print(commandUsage(name, command, { width: terminalWidth(), variadic }))
    return EXIT.done
  }
  try {
    checkArguments(command, rest, variadic)
    const { result } = await runCommand(command, { rawArgs: [...rest] })
    return result === undefined ? EXIT.done : (result as ExitCode)
  } catch (error) {
    if (isUsageError(error)) return usageError(withoutAdvice(error.message), `planspan ${name} --help`)
    throw error
  }
}

const loadAll = async (): Promise<Record<string, CommandDef>> =>
  Object.fromEntries(
    await Promise.all(Object.entries(COMMANDS).map(async ([name, { load }]) => [name, await load()] as const)),
  )

function usageError(message: string, help: string): ExitCode {
  note(`${styled('red', 'Error:')} ${message.replace(/[^.?]$/, '$&.')} \`${help}\` tells more.`)
  return EXIT.usage
}

/** Node's parser takes the `-1` of `--index -1` for an option, but not that of `--index=-1`. */
function joinNegativeNumbers(args: readonly string[]): string[] {
  const joined: string[] = []
  for (const arg of args) {
    const option = joined.at(-1)
    if (/^-\d/.test(arg) && option !== undefined && /^--[^=]+$/.test(option)) joined.splice(-1, 1, `${option}=${arg}`)
    else joined.push(arg)
  }
  return joined
}

/** What Node's parser says of an unknown option, less how it could be a file's name. */
const withoutAdvice = (message: string): string => message.replace(/ To specify a positional argument[^]*/, '')

/** citty takes any option; Node's own parser knows which there are. Throws its ERR_PARSE_ARGS errors. */
function checkArguments(command: CommandDef, rest: readonly string[], variadic: boolean): void {
  const defined = Object.entries((command.args ?? {}) as Record<string, ArgDef>)
  const options = defined
    .filter(([, { type }]) => type !== 'positional')
    .map(([name, { type }]) => [name, { type: type === 'boolean' ? 'boolean' : 'string' }] as const)
  const { positionals } = parseArgs({ args: [...rest], options: Object.fromEntries(options), allowPositionals: true })
  const extra = variadic ? [] : positionals.slice(defined.length - options.length)
  if (extra.length > 0) {
    throw new PlanspanError('usage', `${extra.map((arg) => JSON.stringify(arg)).join(', ')}: nothing to do with it.`)
  }
}

/** Errors of the two parsers: an argument is missing, unknown or has no value. */
function isUsageError(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof PlanspanError) return false
  return error.name === 'CLIError' || String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS')
}

function describe(error: unknown): string {
  if (error instanceof PlanspanError) return error.message
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `planspan failed in a way that it should not. Please report this:\n${details}`
}
