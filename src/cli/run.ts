import process from 'node:process'

import { PlanspanError } from '../error.js'
import { PLANSPAN_VERSION } from '../base/version.js'
import { parseCommandLine, wrongUsage } from './command.js'
import { COMMANDS, type ListedCommand } from './commands.js'
import { EXIT, exitCodeOf, type ExitCode } from './exit-code.js'
import { asPlanspanError } from './server/as-planspan-error.js'
import { StoppedBySignal } from './stop-signal.js'
import { note, print, styled, terminalWidth } from './output/terminal.js'
import { commandUsage, rootUsage } from './help.js'

const HELP = new Set(['--help', '-h'])
const VERSION = new Set(['--version', '-v'])

/** Runs a command line and returns the exit code. Never throws: errors are printed on standard error. */
export async function runCli(args: readonly string[]): Promise<ExitCode> {
  try {
    return await run(args[0] === 'help' ? helpFor(args[1]) : args)
  } catch (thrown) {
    const error = asPlanspanError(thrown)
    if (error instanceof StoppedBySignal) return endBy(error)
    note(`${styled('red', 'Error:')} ${describe(error)}`)
    return exitCodeOf(error)
  }
}

const helpFor = (command: string | undefined): string[] => (command === undefined ? ['--help'] : [command, '--help'])

async function run([name, ...rest]: readonly string[]): Promise<ExitCode> {
  if (name === undefined || HELP.has(name)) {
    print(rootUsage(COMMANDS, terminalWidth()))
    return name === undefined ? EXIT.usage : EXIT.done
  }
  if (VERSION.has(name)) {
    print(PLANSPAN_VERSION)
    return EXIT.done
  }
  const listed = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (listed) return runCommand(name, listed, rest)
  throw wrongUsage(`There is no command ${JSON.stringify(name)}. Commands are ${Object.keys(COMMANDS).join(', ')}.`)
}

async function runCommand(name: string, listed: ListedCommand, rest: readonly string[]): Promise<ExitCode> {
  const { command } = await listed.load()
  const end = rest.indexOf('--')
  if (rest.slice(0, end < 0 ? rest.length : end).some((arg) => HELP.has(arg))) {
    print(commandUsage(command, { name, description: listed.description, width: terminalWidth() }))
    return EXIT.done
  }
  return command.run(parseCommandLine(name, command, rest))
}

/** Sends the signal again: no handler is left, so it ends the process as its sender expects. */
function endBy({ signal }: StoppedBySignal): ExitCode {
  process.kill(process.pid, signal)
  return EXIT.different
}

function describe(error: unknown): string {
  if (error instanceof PlanspanError) return error.message
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `planspan failed because of a bug. Please report this:\n${details}`
}
