import { readTokens } from '../../access/index.js'
import { defineCommand, wrongUsage } from '../command.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { print } from '../output/terminal.js'
import { createToken } from './create-token.js'
import { revokeToken } from './revoke-token.js'
import { tokenTable } from './token-table.js'

const ACTIONS = ['create', 'list', 'revoke'] as const

/** `planspan token`: the tokens of a file. */
export const command = defineCommand({
  argument: { name: 'ACTION', description: 'create NAME, list, or revoke NAME', isVariadic: true, values: ACTIONS },
  options: {
    tokens: {
      type: 'string',
      valueHint: 'FILE',
      required: true,
      description: 'The file that `planspan serve --tokens` reads; create makes it where it is missing',
    },
    scope: {
      type: 'string',
      valueHint: 'SCOPE,…',
      default: 'ingest,read',
      description: 'What a new token is good for: ingest, read, delete',
    },
    tenant: {
      type: 'string',
      valueHint: 'NAME',
      description: 'Whose a new token is: of `planspan tenant create` (default: the server’s own database)',
    },
    expires: {
      type: 'string',
      valueHint: 'TIME',
      description: 'When it ends: after 90d, 12h, or at a time (default: never)',
    },
    'per-second': {
      type: 'string',
      valueHint: 'N',
      description: 'How many requests it is good for each second (default: 1000)',
    },
    'at-once': {
      type: 'string',
      valueHint: 'N',
      description: 'How many of them may be under way at once (default: 256)',
    },
    json: { type: 'boolean', description: 'One JSON document' },
  },
  async run({ args: [action = '', name, ...more], options }): Promise<ExitCode> {
    const { tokens: path = '', json = false } = options
    if (!isAction(action)) throw wrongUsage(`Say ${ACTIONS.join(', ')}, not ${JSON.stringify(action)}.`, 'token')
    if (more.length > 0 || (name === undefined) !== (action === 'list')) {
      throw wrongUsage(action === 'list' ? 'token list takes no name.' : `token ${action} takes one name.`, 'token')
    }
    if (action === 'create') await createToken(path, name ?? '', { ...options, json })
    else if (action === 'revoke') await revokeToken(path, name ?? '', json)
    else {
      const tokens = await readTokens(path)
      print(json ? JSON.stringify({ tokens: tokens.map(({ hash: _hash, ...told }) => told) }) : tokenTable(tokens))
    }
    return EXIT.done
  },
})

const isAction = (text: string): text is (typeof ACTIONS)[number] => (ACTIONS as readonly string[]).includes(text)
