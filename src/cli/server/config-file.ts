import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import process from 'node:process'

import { PlanspanError } from '../../error.js'
import { readEnvironment } from '../cli-environment.js'
import { note } from '../output/terminal.js'

/** What a configuration file may say. */
export interface ConfigFile {
  readonly path: string
  readonly endpoint?: string | undefined
  /** For the file's endpoint, and no other. */
  readonly token?: string | undefined
}

const EXAMPLE = '{"endpoint": "https://planspan.example.com", "token": "…"}'

/**
 * Reads the file that is named, else PLANSPAN_CONFIG's, else the user's own, which need not exist. Warns of a token
 * that others may read. Throws `usage` for a file that cannot be read or is none; no message tells its content.
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
  // Loaded where there is a file: commands start faster without.
  const { z } = await import('zod')
  const schema = z
    .strictObject({ endpoint: z.string().min(1).exactOptional(), token: z.string().min(1).exactOptional() })
    .refine(({ endpoint, token }) => token === undefined || endpoint !== undefined, {
      message: 'a token is for one server, which "endpoint" names',
    })
  const result = schema.safeParse(parsed(text))
  if (result.success) return result.data
  const reasons = result.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: unknown here`
    return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`
  })
  throw new PlanspanError(
    'usage',
    `The configuration file ${path} is none (${reasons.join('; ')}). It holds JSON such as ${EXAMPLE}.`,
  )
}

/** Undefined where it is no JSON: what the parser says of it shows a part of it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const OTHERS = 0o077

async function warnOfReaders(path: string): Promise<void> {
  // Windows has no such modes.
  if (process.platform === 'win32' || ((await stat(path)).mode & OTHERS) === 0) return
  note(`Warning: other users may read the token in ${path}. \`chmod 600 ${path}\` changes that.`)
}
