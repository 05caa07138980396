import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { changeTokens, hashOf, newToken, type Scope, SCOPES, sessionKeyOf, type Token } from '../../src/access/index.js'

/** A token file for a test. */
export interface TestTokens extends Disposable {
  readonly path: string
  /** Creates a token and returns it. */
  make(
    name: string,
    about?: Partial<Pick<Token, 'scopes' | 'database' | 'expiresAt' | 'perSecond' | 'atOnce'>>,
  ): Promise<string>
  revoke(name: string): Promise<void>
}

export function testTokens(): TestTokens {
  const directory = mkdtempSync(join(tmpdir(), 'planspan-tokens-'))
  const path = join(directory, 'tokens.json')
  return {
    path,
    async make(name, about = {}) {
      const token = newToken()
      const hash = hashOf(sessionKeyOf(token)).toString('base64url')
      const scopes: readonly Scope[] = SCOPES
      const made = { name, hash, scopes, madeAt: new Date().toISOString(), ...about }
      await changeTokens(path, (tokens) => [...tokens, made])
      return token
    },
    revoke: (name) => changeTokens(path, (tokens) => tokens.filter((one) => one.name !== name)),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  }
}
