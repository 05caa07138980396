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
  argument: { name: 'PLAN_ID', description: 'The plan; its sub-plans and all imports of its record go with it' },
  options: {
    source: { type: 'string', valueHint: 'NAME', description: 'The imports of this source alone' },
    trace: {
      type: 'string',
      valueHint: 'ID',
      description: 'What this trace holds alone; `list --all` tells which there are',
    },
    running: { type: 'boolean', description: 'A plan that is not over, too; what comes of it later is stored' },
    together: { type: 'boolean', description: 'Other plans of its traces, too' },
    yes: { type: 'boolean', description: 'Do not ask' },
    json: { type: 'boolean', description: 'One line of JSON: what was erased' },
    ...serverOptions,
  },
  async run({ options, args: [planId = ''] }) {
    const { source, trace, running = false, together = false, yes: isSure = false } = options
    const { client } = await connect(options)
    if (!isSure && !(await isWanted(client, planId, { source, trace }))) {
      note('Nothing is erased.')
      return EXIT.different
    }
    await client.erase(planId, { source, trace, running, together })
    if (options.json) print(JSON.stringify({ erased: planId }))
    else print(`${planId} is erased. docs/deployment.md#erasing-a-plan tells when it is gone from the disk.`)
    return EXIT.done
  },
})

/** Whether somebody at a terminal says so, who is told what it is. */
async function isWanted(client: Client, planId: string, place: PlaceQuery): Promise<boolean> {
  if (!isTerminal() || process.stdin.isTTY !== true) {
    throw new PlanspanError('usage', 'Nobody can be asked here whether the plan is to be erased. Say so with --yes.')
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
