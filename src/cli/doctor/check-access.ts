import type { Finding } from './doctor.js'
import { TOKEN_HINT } from '../../token-hint.js'
import type { Readiness } from '../../wire/index.js'
import { plural } from '../output/text-layout.js'

type Access = NonNullable<Extract<Readiness, { status: 'ready' }>['access']>

/** Checks the tokens that a server asks for. */
export function checkAccess({ tokens, endSoon, isFileExposed, refused }: Access): Finding[] {
  const refusals = Object.entries(refused).filter(([, count]) => count > 0)
  const told = refusals.map(([why, count]) => `${String(count)} ${why}`).join(', ')
  return [
    {
      level: 'ok',
      text: `It asks for a token and knows ${String(tokens)}; requests refused: ${told === '' ? 'none' : told}`,
    },
    ...(endSoon === 0 ? [] : [{ level: 'warn', text: endingText(endSoon) } as const]),
    ...(isFileExposed ? [{ level: 'warn', text: EXPOSED } as const] : []),
  ]
}

const endingText = (count: number): string =>
  `${plural(count, 'token')} ended or will end within 14 days. \`planspan token list\` tells which; what a sender sends ` +
  'with one that has ended is lost.'

const EXPOSED =
  'Other users of the server’s machine may read or change its token file. `chmod 600` ends that; who may change it can ' +
  'let themselves in.'

/** What is found where the server tells nothing without a token. */
export const tokenNeeded = (endpoint: string): Finding => ({
  level: 'fail',
  text: `The server at ${endpoint} asks for a token with the scope read. ${TOKEN_HINT}`,
})
