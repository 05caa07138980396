import process from 'node:process'
import { createInterface } from 'node:readline/promises'

import type { Client, PlaceQuery } from '../client/index.js'
import { PlanspanError } from '../error.js'
import { defineCommand } from './command.js'
import { EXIT } from './exit-code.js'
import { connect } from './server/connect.js'
import { serverOptions } from './server/resolve-server.js'
import { isTerminal, note, print } from './output/terminal.js'
import { plural } from './output/text-layout.js'

/** `planspan delete`: erases a plan from the store. */
export const command = defineCommand({
  argument: { name: 'PLAN_ID', description: 'The plan; its sub-plans and all imports of its record are erased, too' },
  options: {
    source: { type: 'string', valueHint: 'NAME', description: 'Only the imports of this source' },
    trace: {
      type: 'string',
      valueHint: 'ID',
      description: 'Only the data of this trace; `list --all` shows the traces',
    },
    running: { type: 'boolean', description: 'Also a running plan; spans that arrive later are stored' },
    together: { type: 'boolean', description: 'Also other plans in its traces' },
    yes: { type: 'boolean', description: 'Do not ask for confirmation' },
    json: { type: 'boolean', description: 'One line of JSON: what was erased' },
    ...serverOptions,
  },
  async run({ options, args: [planId = ''] }) {
    const { source, trace, running = false, together = false, yes: isSure = false } = options
    const { client } = await connect(options)
    if (!isSure && !(await isWanted(client, planId, { source, trace }))) {
      note('Nothing was erased.')
      return EXIT.different
    }
    await client.erase(planId, { source, trace, running, together })
    if (options.json) print(JSON.stringify({ erased: planId }))
    else print(`${planId} is erased. docs/deployment.md#erasing-a-plan explains when it is gone from the disk.`)
    return EXIT.done
  },
})

/** Asks a person at the terminal for confirmation. Throws `usage` if there is no terminal. */
async function isWanted(client: Client, planId: string, place: PlaceQuery): Promise<boolean> {
  if (!isTerminal() || process.stdin.isTTY !== true) {
    throw new PlanspanError('usage', 'There is no terminal to ask for confirmation. Pass --yes to erase the plan.')
  }
  const { state, traceId } = await client.record(planId, place)
  const spans = (await client.spans(planId, { ...place, trace: traceId })).length
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question(`Erase ${planId} (${state}, ${plural(spans, 'span')}) for good? [y/N] `)
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
