import { ClientError, type Client, type ExportQuery, type PlanView, type ViewQuery } from '../../client/index.js'
import { PlanspanError } from '../../error.js'
import { defineCommand, type CommandLine, type Options } from '../command.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { filtersOf, planFilters } from '../filter-options.js'
import { chatOptions } from '../option-values.js'
import { isTerminal, note, print } from '../output/terminal.js'
import { connect } from '../server/connect.js'
import { serverOptions } from '../server/resolve-server.js'
import { StoppedBySignal, untilStopped } from '../stop-signal.js'
import { openPartFile, STANDARD_OUTPUT, recordLines, type PartFile } from './part-file.js'

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

export interface ParquetExport {
  readonly view: string
  /** A file, or - for standard output. */
  readonly out: string
  readonly untilEnd: ReturnType<typeof untilStopped>
}

/**
 * Writes the rows of some plans in a view as a Parquet file and returns its size in bytes. An incomplete file is
 * removed, since an export of a view cannot be continued.
 */
export async function exportParquet(client: Client, query: ViewQuery, asked: ParquetExport): Promise<number> {
  const { view, out, untilEnd } = asked
  const over = new AbortController()
  const target = out === '-' ? STANDARD_OUTPUT : await openPartFile(out)
  try {
    // The server checks the view's name.
    const pieces = await untilEnd(client.view(view as PlanView, query, { signal: over.signal }))
    return await untilEnd(writePieces(pieces, target))
  } catch (cause) {
    await target.discard()
    if (out === '-' || !(cause instanceof ClientError) || cause.code !== 'broken_off') throw cause
    throw new PlanspanError('receiver_unreachable', `${cause.message} Nothing was written to ${out}.`, { cause })
  } finally {
    over.abort()
  }
}

async function writePieces(pieces: AsyncIterable<Uint8Array>, target: PartFile): Promise<number> {
  let bytes = 0
  for await (const piece of pieces) {
    if (target.isClosed()) break
    await target.write(piece)
    bytes += piece.length
  }
  await target.finish()
  return bytes
}
