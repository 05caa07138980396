import {
  changeTokens,
  hashOf,
  newToken,
  type Scope,
  SCOPES,
  sessionKeyOf,
  type Token,
  TOKEN_NAME,
} from '../../access/index.js'
import { PlanspanError } from '../../error.js'
import { durationOf, wholeNumber } from '../option-values.js'
import { checkTenantName } from '../tenant/tenant-name.js'
import { note, print } from '../output/terminal.js'

interface CreateOptions {
  readonly scope: string
  readonly tenant?: string | undefined
  readonly expires?: string | undefined
  readonly 'per-second'?: string | undefined
  readonly 'at-once'?: string | undefined
  readonly json: boolean
}

/** Creates a token, adds its hash to the file, and prints the token, which is not shown again. */
export async function createToken(path: string, name: string, options: CreateOptions): Promise<void> {
  if (!TOKEN_NAME.test(name)) {
    throw new PlanspanError(
      'usage',
      `${JSON.stringify(name)} is not a valid name: use up to 64 letters, digits and .@_-.`,
    )
  }
  if (options.tenant !== undefined) checkTenantName(options.tenant)
  const now = Date.now()
  const token = newToken()
  const expiresAt = endOf(options.expires, now)
  const perSecond = wholeNumber('per-second', options['per-second'], { min: 1 })
  const atOnce = wholeNumber('at-once', options['at-once'], { min: 1 })
  const made = {
    name,
    scopes: scopesOf(options.scope),
    ...(options.tenant !== undefined && { database: options.tenant }),
    madeAt: new Date(now).toISOString(),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(perSecond !== undefined && { perSecond }),
    ...(atOnce !== undefined && { atOnce }),
  } satisfies Omit<Token, 'hash'>
  const hash = hashOf(sessionKeyOf(token)).toString('base64url')
  await changeTokens(path, (tokens) => {
    if (tokens.some((one) => one.name === name)) {
      throw new PlanspanError('usage', `${path} has a token ${name}. Revoke it first, or use another name.`)
    }
    return [...tokens, { ...made, hash }]
  })
  if (options.json) return print(JSON.stringify({ ...made, token }))
  print(token)
  note(
    `It is shown only once. It has the scopes ${made.scopes.join(', ')} and ${expiresAt === undefined ? 'does not expire' : `expires at ${expiresAt}`}.`,
  )
}

function scopesOf(text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(SCOPES as readonly string[]).includes(name))
  if (unknown === undefined) return SCOPES.filter((scope) => names.includes(scope))
  throw new PlanspanError('usage', `--scope takes scopes of ${SCOPES.join(',')}, not ${JSON.stringify(unknown)}.`)
}

function endOf(text: string | undefined, now: number): string | undefined {
  if (text === undefined) return undefined
  const duration = durationOf(text)
  const end = duration === undefined ? Date.parse(text) : now + duration
  // Later times cannot be represented.
  if (end > now && end <= 8.64e15) return new Date(end).toISOString()
  throw new PlanspanError(
    'usage',
    `--expires takes a duration such as 90d or 12h, or a future time, not ${JSON.stringify(text)}.`,
  )
}
