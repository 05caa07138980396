import { DEFAULT_LIMITS, hasExpired, type Token } from '../../access/index.js'
import { styled } from '../output/terminal.js'
import { alignColumns } from '../output/text-layout.js'

const HEADING = ['NAME', 'SCOPES', 'TENANT', 'MADE', 'ENDS', 'A SECOND', 'AT ONCE']

/** Formats tokens for people and other programs: one line each below a heading. */
export function tokenTable(tokens: readonly Token[]): string {
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
