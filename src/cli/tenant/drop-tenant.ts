import { changeTokens, readTokens } from '../../access/index.js'
import { PlanspanError } from '../../error.js'
import { dropTenant as drop } from '../../server/index.js'
import { note, print } from '../output/terminal.js'
import { plural } from '../output/text-layout.js'

interface DropOptions {
  readonly isSure: boolean
  readonly tokens: string | undefined
  readonly json: boolean
}

/** Drops a tenant, after revoking its tokens, so that no spans are acknowledged and then lost. */
export async function dropTenant(
  at: { readonly dataDirectory: string; readonly clickhouse?: string },
  name: string,
  { isSure, tokens: path, json }: DropOptions,
): Promise<void> {
  if (!isSure) {
    throw new PlanspanError('usage', `This deletes everything that ${name} has stored. Pass --yes to confirm.`)
  }
  const revoked = path === undefined ? [] : await revokeTokens(path, name)
  await drop(at, name)
  if (json) return print(JSON.stringify({ dropped: name, revoked }))
  print(`${name} is dropped, with everything stored there.`)
  if (path === undefined) note('Tokens of this tenant are rejected from now on. --tokens FILE revokes them, too.')
  else note(`Revoked ${plural(revoked.length, 'token')} of ${path}${revoked.length ? `: ${revoked.join(', ')}` : ''}.`)
}

/** Revokes the tokens of a tenant; returns their names. */
async function revokeTokens(path: string, tenant: string): Promise<string[]> {
  const names = (await readTokens(path)).filter(({ database }) => database === tenant).map(({ name }) => name)
  if (names.length > 0) await changeTokens(path, (tokens) => tokens.filter(({ database }) => database !== tenant))
  return names
}
