import process from 'node:process'

import type { RebuiltRecord, RecordTextQuery } from '../../client/index.js'
import { PlanspanError } from '../../error.js'
import { defineCommand } from '../command.js'
import { EXIT } from '../exit-code.js'
import { chatOptions } from '../option-values.js'
import { connect } from '../server/connect.js'
import { serverOptions } from '../server/resolve-server.js'
import { headlineText } from '../output/headline.js'
import { spanTree } from './span-tree.js'
import { isTerminal, print, styled, styledState, terminalWidth } from '../output/terminal.js'
import { follow } from './follow-plan.js'

/** `planspan show`: prints the exact bytes of a record to a pipe, or its tree with texts on a terminal. */
export const command = defineCommand({
  argument: { name: 'ID', description: 'The id of a plan, or of an agent’s step' },
  options: {
    format: {
      type: 'string',
      valueHint: 'DIALECT|chat',
      description: 'The dialect of the record, or chat for training messages',
    },
    ...chatOptions,
    source: { type: 'string', valueHint: 'NAME', description: 'The import of this source' },
    trace: {
      type: 'string',
      valueHint: 'ID',
      description: 'The plan in this trace; `list --all` lists the traces',
    },
    verdict: {
      type: 'boolean',
      description: 'Show the verdict on the record and what is missing instead; exit code 1 unless it is complete',
    },
    full: { type: 'boolean', description: 'On a terminal: the full texts, not one line of each' },
    json: {
      type: 'boolean',
      description:
        'The record itself even on a terminal; the verdict as JSON with --verdict; one JSON line per event with --follow',
    },
    follow: {
      type: 'boolean',
      description:
        'Wait until the plan is over: its tree on a terminal, one line per event when piped; exit code 1 unless it was completed',
    },
    ...serverOptions,
  },
  async run({ options, args: [id = ''] }) {
    const { client } = await connect(options)
    const details = options.full ? 'full' : 'cut'
    if (options.follow) {
      if (options.format !== undefined || options.verdict) {
        throw new PlanspanError('usage', '--follow cannot be combined with --format or --verdict.')
      }
      const choice = { source: options.source, trace: options.trace }
      return follow({ client, id, choice, details, json: options.json === true })
    }
    const format = options.format as RecordTextQuery['format']
    const choice = { format, source: options.source, trace: options.trace }
    const record = await client.record(id, { ...choice, per: options.per as RecordTextQuery['per'] })
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
    const { records } = await client.list({ trace: record.traceId, limit: 1000 })
    const headline = headlineText(records.find(({ planId }) => planId === id))
    if (headline !== '') print(styled('bold', headline))
    for (const line of spanTree(spans, id, { width: terminalWidth(), details })) print(line)
    print('')
    for (const line of verdictLines(record)) print(line)
    return EXIT.done
  },
})

function verdictJson({ verdict, state, dialect, traceId, missing, missingCount, leftOut }: RebuiltRecord): string {
  return JSON.stringify({ verdict, state, dialect, traceId, missingCount, missing, leftOut })
}

/** Formats the verdict and state of a record, followed by its gaps and by what a conversion left out, one per line. */
export function verdictLines(record: RebuiltRecord): string[] {
  const { verdict, state, dialect, traceId, missing, missingCount, leftOut } = record
  const unlisted = missingCount - missing.length
  return [
    `${styledState(verdict)}  ${styledState(state)}  ${styled('dim', `${dialect}, trace ${traceId}`)}`,
    ...missing.map((gap) => `missing: ${gap}`),
    ...(unlisted > 0 ? [`missing: ${String(unlisted)} more`] : []),
    ...leftOut.map(({ kind, count, of }) => `left out: ${String(count)} of ${String(of)} ${kind}`),
  ]
}
