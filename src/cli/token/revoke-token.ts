import { changeTokens } from '../../access/index.js'
import { PlanspanError } from '../../error.js'
import { note, print } from '../output/terminal.js'

/** Removes a token from the file. */
export async function revokeToken(path: string, name: string, json: boolean): Promise<void> {
  await changeTokens(path, (tokens) => {
    const left = tokens.filter((one) => one.name !== name)
    if (left.length === tokens.length)
      throw new PlanspanError('not_found', `${path} has no token ${JSON.stringify(name)}.`)
    return left
  })
  if (json) return print(JSON.stringify({ name, isRevoked: true }))
  note(`${name} is revoked. Servers that read ${path} reject it within two seconds.`)
}
