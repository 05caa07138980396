import type { ArgsDef, CommandDef } from 'citty'

/** A command of which only its file is known until it is called. */
export interface LazyCommand {
  load(): Promise<CommandDef>
  /** Whether it takes any number of arguments, not only those it names. */
  readonly variadic?: boolean
}

// citty's CommandDef is invariant in its arguments, so that no list of different commands has a type of its own.
const widened = <T extends ArgsDef>(command: CommandDef<T>): CommandDef => command as unknown as CommandDef

/** Every command by its name, in the order of the help text. */
export const COMMANDS: Readonly<Record<string, LazyCommand>> = {
  serve: { load: async () => widened((await import('./serve.js')).serve) },
  demo: { load: async () => widened((await import('./demo.js')).demo) },
  import: { load: async () => widened((await import('./import.js')).importCommand), variadic: true },
  validate: { load: async () => widened((await import('./validate.js')).validate), variadic: true },
  replay: { load: async () => widened((await import('./replay.js')).replay) },
  list: { load: async () => widened((await import('./list.js')).list) },
  show: { load: async () => widened((await import('./show.js')).show) },
  verify: { load: async () => widened((await import('./verify.js')).verify), variadic: true },
  generate: { load: async () => widened((await import('./generate.js')).generate) },
  schema: { load: async () => widened((await import('./schema.js')).schema) },
  doctor: { load: async () => widened((await import('./doctor.js')).doctor) },
}
