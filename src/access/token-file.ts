import { open, readFile, rename, rm } from 'node:fs/promises'

import { PlanspanError } from '../error.js'
import { SCOPES, type Token } from './token.js'

export const TOKEN_NAME = /^[\w.@-]{1,64}$/
/** A database name that needs no quotes, and is short enough for files and users that contain it. */
export const TENANT_NAME = /^[A-Za-z_]\w{0,63}$/

/** Reads the tokens of a file. Throws `tokens_unreadable`. */
export async function readTokens(path: string): Promise<readonly Token[]> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw notReadable(path, error)
  }
  return checked(path, text)
}

async function checked(path: string, text: string): Promise<readonly Token[]> {
  // Loaded only if there is a file, so that servers and commands without one start faster.
  const { z } = await import('zod')
  const tokenSchema = z.strictObject({
    name: z.string().regex(TOKEN_NAME),
    hash: z.base64url().length(43),
    scopes: z.array(z.enum(SCOPES)).min(1),
    database: z.string().regex(TENANT_NAME).exactOptional(),
    madeAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().exactOptional(),
    perSecond: z.number().int().min(1).exactOptional(),
    atOnce: z.number().int().min(1).exactOptional(),
  })
  const result = z.strictObject({ tokens: z.array(tokenSchema) }).safeParse(parsed(text))
  if (result.success) return result.data.tokens
  const [issue] = result.error.issues
  throw unreadable(
    path,
    `is malformed (${issue?.path.join('.') || 'all of it'}: ${issue?.message ?? ''})`,
    result.error,
  )
}

/** Undefined for malformed JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error for a token file that is missing or unreadable for this user. */
export const notReadable = (path: string, cause: unknown): PlanspanError =>
  unreadable(path, `cannot be read (${String((cause as NodeJS.ErrnoException).code)})`, cause)

const unreadable = (path: string, what: string, cause: unknown): PlanspanError =>
  new PlanspanError(
    'tokens_unreadable',
    `The token file ${path} ${what}. \`planspan token create NAME --tokens ${path}\` creates one.`,
    { cause },
  )

/**
 * Changes the tokens of a file, which is created if it is missing. Readers see the tokens before or after the change;
 * concurrent changes are rejected. Throws `usage` and `tokens_unreadable`.
 */
export async function changeTokens(
  path: string,
  change: (tokens: readonly Token[]) => readonly Token[],
): Promise<void> {
  const next = `${path}.new`
  const file = await open(next, 'wx', 0o600).catch((error: unknown) => {
    throw notWritable(path, next, error)
  })
  try {
    const changed = change(await tokensToChange(path))
    await file.writeFile(`${JSON.stringify({ tokens: changed }, undefined, 2)}\n`)
    await file.sync()
    await file.close()
    await rename(next, path)
  } catch (error) {
    await file.close()
    await rm(next, { force: true })
    throw error
  }
}

async function tokensToChange(path: string): Promise<readonly Token[]> {
  try {
    return await readTokens(path)
  } catch (error) {
    const cause = error instanceof PlanspanError ? (error.cause as NodeJS.ErrnoException) : undefined
    if (cause?.code === 'ENOENT') return []
    throw error
  }
}

function notWritable(path: string, next: string, cause: unknown): PlanspanError {
  const { code } = cause as NodeJS.ErrnoException
  const text =
    code === 'EEXIST'
      ? `The tokens of ${path} are being changed, or a change was killed. In the latter case remove ${next}.`
      : `The token file ${path} cannot be written (${String(code)}).`
  return new PlanspanError('usage', text, { cause })
}
