import process from 'node:process'

import { PlanspanError } from '../../error.js'
import { defineCommand } from '../command.js'
import { EXIT } from '../exit-code.js'
import { endpointOption, resolveEndpoint } from '../options.js'
import { createRecordsClient, type RebuiltRecord } from '../records-client.js'
import { spanTree } from '../span-tree.js'
import { isTerminal, print, styled, styledState, terminalWidth } from '../terminal.js'
import { follow } from './follow.js'

/** `planspan show`: prints the exact bytes of a record to a pipe, on a terminal its tree with what happened and why. */
export const command = defineCommand({
  argument: { name: 'ID', description: 'The id of a plan, or of an agent’s step' },
  options: {
    format: { type: 'string', valueHint: 'DIALECT', description: 'The record of this dialect' },
    source: { type: 'string', valueHint: 'NAME', description: 'The import of this source' },
    trace: {
      type: 'string',
      valueHint: 'ID',
      description: 'The one of this trace; `list --all` tells which there are',
    },
    verdict: {
      type: 'boolean',
      description: 'Tell instead how true the record is and what is missing; exit code 1 unless it is complete',
    },
    full: { type: 'boolean', description: 'On a terminal: all of each text, not one line of it' },
    json: { type: 'boolean', description: 'The record itself on a terminal, too; the verdict as JSON with --verdict' },
    follow: {
      type: 'boolean',
      description:
        'Stay until the plan is over: its tree on a terminal, a line an event when piped; exit code 1 unless it was completed',
    },
    ...endpointOption,
  },
  async run({ options, args: [id = ''] }) {
    const client = createRecordsClient(resolveEndpoint(options.endpoint))
    const details = options.full ? 'full' : 'cut'
    if (options.follow) {
      if (options.format !== undefined || options.verdict || options.json) {
        throw new PlanspanError(
          'usage',
          '--follow goes with none of --format, --verdict and --json: ask for those without it.',
        )
      }
      return follow({ client, id, choice: { source: options.source, trace: options.trace }, details })
    }
    const choice = { format: options.format, source: options.source, trace: options.trace }
    const record = await client.read(id, choice)
    if (options.verdict) {
      for (const line of options.json ? [verdictJson(record)] : verdictLines(record)) print(line)
      return record.verdict === 'complete' ? EXIT.done : EXIT.different
    }
    if (options.json || !isTerminal()) {
      process.stdout.write(record.bytes)
      if (isTerminal()) print('')
      return EXIT.done
    }
    const spans = await client.spans(id, { ...choice, trace: record.traceId })
    for (const line of spanTree(spans, id, { width: terminalWidth(), details })) print(line)
    print('')
    for (const line of verdictLines(record)) print(line)
    return EXIT.done
  },
})

function verdictJson({ verdict, state, dialect, traceId, missing, missingCount }: RebuiltRecord): string {
  return JSON.stringify({ verdict, state, dialect, traceId, missingCount, missing })
}

/** The verdict and state of a record, followed by its gaps, one per line. */
export function verdictLines({ verdict, state, dialect, traceId, missing, missingCount }: RebuiltRecord): string[] {
  const unsaid = missingCount - missing.length
  return [
    `${styledState(verdict)}  ${styledState(state)}  ${styled('dim', `${dialect}, trace ${traceId}`)}`,
    ...missing.map((gap) => `missing: ${gap}`),
    ...(unsaid > 0 ? [`missing: ${String(unsaid)} more`] : []),
  ]
}
