import { type Client, ClientError, type ExportQuery } from '../../client/index.js'
import { PlanspanError } from '../../error.js'
import { type CommandLine, defineCommand, type Options } from '../command.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { chatOptions } from '../option-values.js'
import { filtersOf, planFilters } from '../filter-options.js'
import { connect } from '../server/connect.js'
import { serverOptions } from '../server/resolve-server.js'
import { StoppedBySignal, untilStopped } from '../stop-signal.js'
import { isTerminal, note, print } from '../output/terminal.js'
import { exportParquet } from './parquet.js'
import { openPartFile, type PartFile, STANDARD_OUTPUT } from './part-file.js'
import { recordLines } from './record-lines.js'

const options = {
  ...planFilters,
  format: {
    type: 'string',
    valueHint: 'DIALECT|chat',
    description: 'The dialect of all records, or chat for training messages (default: each record in its own)',
  },
  ...chatOptions,
  incomplete: { type: 'boolean', description: 'With --format chat: include redacted and partial records' },
  exact: { type: 'boolean', description: 'Each record as its exact text, in a JSON string' },
  out: {
    type: 'string',
    valueHint: 'FILE',
    default: '-',
    description: 'The file, named FILE.part until it is complete, or - for standard output',
  },
  resume: {
    type: 'string',
    valueHint: 'CURSOR',
    description: 'Continue after the line with this cursor, in FILE.part if --out names a file',
  },
  parquet: {
    type: 'string',
    valueHint: 'VIEW',
    description: 'Instead of records, the plans’ rows of this SQL view, as a Parquet file',
  },
  json: { type: 'boolean', description: 'With --out FILE: the number of records in it, as JSON' },
  ...serverOptions,
} as const satisfies Options

/** `planspan export`: writes the records of many plans, a line of JSON each. */
export const command = defineCommand({
  options,
  async run({ options: given }) {
    const { out, exact, incomplete, resume } = given
    const { client } = await connect(given)
    const format = given.format as ExportQuery['format']
    const per = given.per as ExportQuery['per']
    const query = { ...filtersOf(given), format, per, exact, incomplete, cursor: resume }
    const untilEnd = untilStopped()
    if (given.parquet !== undefined) return writeView(client, given, untilEnd)
    const over = new AbortController()
    const pieces = await untilEnd(client.exportBytes(query, { signal: over.signal }))
    const { count, problems } = await (async () => {
      const target = out === '-' ? STANDARD_OUTPUT : await openPartFile(out, resume)
      return writeAll(pieces, { target, out, untilEnd })
    })().finally(() => over.abort())
    if (out !== '-' && given.json) print(JSON.stringify({ file: out, records: count, problems }))
    else if (out !== '-') note(`${String(count)} records are in ${out}.`)
    if (problems > 0) note(`${String(problems)} of them could not be written: the "problem" in their lines says why.`)
    if (count === 0 && resume === undefined) note('No plan matches.')
    return problems > 0 || (count === 0 && resume === undefined) ? EXIT.different : EXIT.done
  },
})

const RECORD_OPTIONS = ['format', 'per', 'incomplete', 'exact', 'resume'] as const

type Given = CommandLine<typeof options>['options']

async function writeView(client: Client, given: Given, untilEnd: Writing['untilEnd']): Promise<ExitCode> {
  const { parquet: view = '', out } = given
  const others = RECORD_OPTIONS.filter((name) => given[name] !== undefined)
  if (others.length > 0) {
    throw new PlanspanError('usage', `--parquet writes rows, not records: omit --${others.join(', --')}.`)
  }
  if (out === '-' && isTerminal()) throw new PlanspanError('usage', 'Name a file for --parquet with --out.')
  const bytes = await exportParquet(client, filtersOf(given), { view, out, untilEnd })
  if (out !== '-' && given.json) print(JSON.stringify({ file: out, view, bytes }))
  else if (out !== '-') note(`The rows of ${view} are in ${out}.`)
  return EXIT.done
}

interface Writing {
  readonly target: PartFile
  /** The value of --out. */
  readonly out: string
  readonly untilEnd: ReturnType<typeof untilStopped>
}

async function writeAll(pieces: AsyncIterable<Uint8Array>, { target, out, untilEnd }: Writing) {
  let [count, problems, cursor] = [0, 0, '']
  const write = async (): Promise<void> => {
    for await (const lines of recordLines(pieces)) {
      if (target.isClosed()) return
      await target.write(lines.text)
      count += lines.count
      problems += lines.problems
      cursor = lines.cursor
    }
    await target.finish()
  }
  try {
    await untilEnd(write())
    return { count, problems }
  } catch (cause) {
    await target.close()
    const advice =
      cursor === '' ? 'Try again.' : `Continue with --resume ${cursor}${out === '-' ? '' : ` --out ${out}`}.`
    const broken = `The export broke off after ${String(count)} records`
    if (cause instanceof StoppedBySignal) {
      note(`${broken}. ${advice}`)
      throw cause
    }
    const first = cause instanceof ClientError ? (cause.cause ?? cause) : cause
    const reason = first instanceof Error ? first.message : String(first)
    throw new PlanspanError('receiver_unreachable', `${broken} (${reason}). ${advice}`, { cause })
  }
}
