// @ts-check
import { constants, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { constants as system, setPriority } from 'node:os'
import { join } from 'node:path'

/**
 * The command for the engine. The last file in `arguments` that it takes statements from is `gate` in `directory`,
 * through which it receives those of `statements`.
 * @typedef {{
 *   ffi: string, library: string, arguments: readonly string[], directory: string, gate: string, statements: string,
 *   yields: boolean
 * }} EngineCommand
 */

// process.exit() would wait for the engine's thread, which never returns.
const end = () => process.kill(process.pid, 'SIGKILL')
process.on('disconnect', end)
process.on('SIGTERM', end)
// On Ctrl-C or a closed terminal the parent still flushes into this store; the store ends with the parent.
process.on('SIGINT', () => {})
process.on('SIGHUP', () => {})
if (!process.connected) end()
// Files that the engine writes are accessible to its user only.
process.umask(0o077)

/** @type {EngineCommand} */
const command = JSON.parse(process.argv[2] ?? '')
/** @type {typeof import('ffi-rs')} */
const { DataType, load, open } = createRequire(import.meta.url)(command.ffi)

// The engine's threads inherit the priority of the thread that starts them.
if (command.yields) setPriority(system.priority.PRIORITY_LOW)

// An empty path opens the running program itself, which contains libc.
open({ library: 'libc', path: '' })
open({ library: 'chdb', path: command.library })
giveStandardInputATerminal()
makeGate()
const ended = load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [command.arguments.length, command.arguments],
  runInNewThread: true,
})
passGate().catch((error) => {
  writeSync(2, `ClickHouse was not let in: ${error}\n`)
  end()
})
await ended
writeSync(2, 'ClickHouse ended by itself.\n')
end()

// clickhouse-local ends its process on any exception in a connection's thread, such as a wrong password on the native
// port, unless it runs --interactive; and it does that only when its standard input is a terminal.
function giveStandardInputATerminal() {
  const mode = constants.O_RDWR | constants.O_NOCTTY
  const controller = openSync('/dev/ptmx', mode)
  callLibc('grantpt', controller)
  callLibc('unlockpt', controller)
  const name = load({
    library: 'libc',
    funcName: 'ptsname',
    retType: DataType.String,
    paramsType: [DataType.I32],
    paramsValue: [controller],
  })
  callLibc('dup2', openSync(name, mode), 0)
}

function makeGate() {
  rmSync(command.directory, { recursive: true, force: true })
  mkdirSync(command.directory, { mode: 0o700 })
  callLibc('mkfifo', join(command.directory, command.gate), 0o600)
}

// clickhouse-local lets its users name any file, and resolves paths against its working directory. Once it is up and
// waits at the gate it needs no working directory; with that removed, any access to a file is an error.
async function passGate() {
  const gate = await openFile(join(command.directory, command.gate), 'w')
  process.chdir(command.directory)
  rmSync(command.directory, { recursive: true })
  await gate.writeFile(readFileSync(command.statements))
  await gate.close()
}

/**
 * Calls a libc function that returns -1 on failure.
 * @param {string} funcName
 * @param {(number | string)[]} paramsValue
 */
function callLibc(funcName, ...paramsValue) {
  const paramsType = paramsValue.map((value) => (typeof value === 'string' ? DataType.String : DataType.I32))
  if (load({ library: 'libc', funcName, retType: DataType.I32, paramsType, paramsValue }) === -1) {
    throw new Error(`${funcName} failed, so ClickHouse cannot start`)
  }
}
