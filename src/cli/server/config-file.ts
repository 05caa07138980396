import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import process from 'node:process'

import { PlanspanError } from '../../error.js'
import { readEnvironment } from '../cli-environment.js'
import { note } from '../output/terminal.js'

/** The contents of a configuration file. */
export interface ConfigFile {
  readonly path: string
  readonly endpoint?: string | undefined
  /** For the file's endpoint only. */
  readonly token?: string | undefined
}

const EXAMPLE = '{"endpoint": "https://planspan.example.com", "token": "…"}'

/**
 * Reads the named file, else PLANSPAN_CONFIG's, else the user's default file, which is optional. Warns if other users
 * can read a token in it. Throws `usage` for an unreadable or malformed file; messages never contain its content.
 */
export async function readConfigFile(named: string | undefined): Promise<ConfigFile | undefined> {
  const { configFile, configHome } = readEnvironment()
  const asked = named ?? configFile
  const home = configHome !== undefined && isAbsolute(configHome) ? configHome : join(homedir(), '.config')
  const path = asked ?? join(home, 'planspan', 'config.json')
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (asked === undefined && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined
    throw new PlanspanError('usage', `The configuration file ${path} cannot be read (${String(code)}).`, {
      cause: error,
    })
  }
  const file = { path, ...(await checked(path, text)) }
  if (file.token !== undefined) await warnOfReaders(path)
  return file
}

async function checked(path: string, text: string): Promise<Omit<ConfigFile, 'path'>> {
  // Loaded only if there is a file, so that commands without one start faster.
  const { z } = await import('zod')
  const schema = z
    .strictObject({ endpoint: z.string().min(1).exactOptional(), token: z.string().min(1).exactOptional() })
    .refine(({ endpoint, token }) => token === undefined || endpoint !== undefined, {
      message: '"token" requires "endpoint", the server that it belongs to',
    })
  const result = schema.safeParse(parsed(text))
  if (result.success) return result.data
  const reasons = result.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') return `unknown keys: ${issue.keys.join(', ')}`
    return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`
  })
  throw new PlanspanError(
    'usage',
    `The configuration file ${path} is malformed (${reasons.join('; ')}). Write JSON such as ${EXAMPLE}.`,
  )
}

/** Undefined for malformed JSON. The parser's message is not used, because it quotes the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const OTHERS = 0o077

async function warnOfReaders(path: string): Promise<void> {
  // Windows has no file modes.
  if (process.platform === 'win32' || ((await stat(path)).mode & OTHERS) === 0) return
  note(`Warning: other users can read the token in ${path}. Run \`chmod 600 ${path}\`.`)
}
