import {
  readTokens,
  changeTokens,
  DEFAULT_LIMITS,
  hasExpired,
  hashOf,
  newToken,
  SCOPES,
  sessionKeyOf,
  TOKEN_NAME,
  type Token,
  type Scope,
} from '../../access/index.js'
import { PlanspanError } from '../../error.js'
import { defineCommand, wrongUsage } from '../command.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { durationOf, wholeNumber } from '../option-values.js'
import { print, note, styled } from '../output/terminal.js'
import { alignColumns } from '../output/text-layout.js'
import { checkTenantName } from '../store/store-options.js'

const ACTIONS = ['create', 'list', 'revoke'] as const

/** `planspan token`: manages the tokens of a file. */
export const command = defineCommand({
  argument: { name: 'ACTION', description: 'create NAME, list, or revoke NAME', isVariadic: true, values: ACTIONS },
  options: {
    tokens: {
      type: 'string',
      valueHint: 'FILE',
      required: true,
      description: 'The file that `planspan serve --tokens` reads; create creates it if it is missing',
    },
    scope: {
      type: 'string',
      valueHint: 'SCOPE,…',
      default: 'ingest,read',
      description: 'The scopes of a new token: ingest, read, delete',
    },
    tenant: {
      type: 'string',
      valueHint: 'NAME',
      description: 'The tenant of a new token (default: the server’s own database)',
    },
    expires: {
      type: 'string',
      valueHint: 'TIME',
      description: 'When a new token expires: after 90d or 12h, or at a time (default: never)',
    },
    'per-second': {
      type: 'string',
      valueHint: 'N',
      description: 'The largest number of its requests per second (default: 1000)',
    },
    'at-once': {
      type: 'string',
      valueHint: 'N',
      description: 'The largest number of its concurrent requests (default: 256)',
    },
    json: { type: 'boolean', description: 'One JSON document' },
  },
  async run({ args: [action = '', name, ...more], options }): Promise<ExitCode> {
    const { tokens: path = '', json = false } = options
    if (!isAction(action)) throw wrongUsage(`Use ${ACTIONS.join(', ')}, not ${JSON.stringify(action)}.`, 'token')
    if (more.length > 0 || (name === undefined) !== (action === 'list')) {
      throw wrongUsage(action === 'list' ? 'token list takes no name.' : `token ${action} takes one name.`, 'token')
    }
    if (action === 'create') await createToken(path, name ?? '', { ...options, json })
    else if (action === 'revoke') await revokeToken(path, name ?? '', json)
    else {
      const tokens = await readTokens(path)
      print(json ? JSON.stringify({ tokens: tokens.map(({ hash: _hash, ...shown }) => shown) }) : tokenTable(tokens))
    }
    return EXIT.done
  },
})

const isAction = (text: string): text is (typeof ACTIONS)[number] => (ACTIONS as readonly string[]).includes(text)

/** Removes a token from the file. */
async function revokeToken(path: string, name: string, json: boolean): Promise<void> {
  await changeTokens(path, (tokens) => {
    const left = tokens.filter((one) => one.name !== name)
    if (left.length === tokens.length)
      throw new PlanspanError('not_found', `${path} has no token ${JSON.stringify(name)}.`)
    return left
  })
  if (json) return print(JSON.stringify({ name, isRevoked: true }))
  note(`${name} is revoked. Servers that read ${path} reject it within two seconds.`)
}

const HEADING = ['NAME', 'SCOPES', 'TENANT', 'MADE', 'ENDS', 'A SECOND', 'AT ONCE']

/** Formats tokens for people and other programs: one line each below a heading. */
function tokenTable(tokens: readonly Token[]): string {
  const now = Date.now()
  const rows = tokens.map((token) => {
    const { name, scopes, database, madeAt, perSecond, atOnce } = token
    const limits = [perSecond ?? DEFAULT_LIMITS.perSecond, atOnce ?? DEFAULT_LIMITS.atOnce]
    return [name, scopes.join(','), database ?? '-', minuteOf(madeAt), endOf(token, now), ...limits.map(String)]
  })
  const [heading = '', ...lines] = alignColumns([HEADING, ...rows])
  return [styled('bold', heading), ...lines].join('\n')
}

const minuteOf = (time: string): string => `${time.slice(0, 16)}Z`

function endOf(token: Token, now: number): string {
  if (token.expiresAt === undefined) return 'never'
  return hasExpired(token, now) ? `ended ${minuteOf(token.expiresAt)}` : minuteOf(token.expiresAt)
}

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
  const expiresAt = expiryOf(options.expires, now)
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

function expiryOf(text: string | undefined, now: number): string | undefined {
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
