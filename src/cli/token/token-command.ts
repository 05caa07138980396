import { readTokens, changeTokens, DEFAULT_LIMITS, hasExpired, type Token } from '../../access/index.js'
import { defineCommand, wrongUsage } from '../command.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { print, note, styled } from '../output/terminal.js'
import { createToken } from './create-token.js'
import { PlanspanError } from '../../error.js'
import { alignColumns } from '../output/text-layout.js'

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
