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

/** Drops a tenant, after its tokens: what they send meanwhile would be lost. */
export async function dropTenant(
  at: { readonly dataDirectory: string; readonly clickhouse?: string },
  name: string,
  { isSure, tokens: path, json }: DropOptions,
): Promise<void> {
  if (!isSure) {
    throw new PlanspanError('usage', `All that ${name} has stored would be gone for good. Say so with --yes.`)
  }
  const revoked = path === undefined ? [] : await revokeTokens(path, name)
  await drop(at, name)
  if (json) return print(JSON.stringify({ dropped: name, revoked }))
  print(`${name} is gone, with all that was stored there.`)
  if (path === undefined) note('Tokens that name it are refused from now on. With --tokens FILE they go, too.')
  else
    note(
      `${plural(revoked.length, 'token')} of ${path} went with it${revoked.length ? `: ${revoked.join(', ')}` : ''}.`,
    )
}

/** Takes a tenant's tokens out of the file; returns their names. */
async function revokeTokens(path: string, tenant: string): Promise<string[]> {
  const names = (await readTokens(path)).filter(({ database }) => database === tenant).map(({ name }) => name)
  if (names.length > 0) await changeTokens(path, (tokens) => tokens.filter(({ database }) => database !== tenant))
  return names
}
