import { PlanspanError } from '../../error.js'
import { framingOf, recordEncoder, type BadRecord, type EncodeOptions, type FoundRecord } from '../../mapping/index.js'
import { findRecords } from '../records/read-records.js'
import { bytesBefore, bytesOf, Digested, endsLine, lineStart } from './file-bytes.js'
import type { Importer } from './importer.js'
import { pauseAfter } from './pace.js'
import type { FilePosition } from './state-file.js'

/** A file as it was found. */
export type FoundFile = Pick<FilePosition, 'path' | 'id' | 'size' | 'changed'>

export interface LookOptions {
  readonly importer: Importer
  readonly encodeOptions: EncodeOptions
  /** Gets what is no record, with its line. */
  readonly refuse: (error: PlanspanError, path: string, line: number) => void
  /** Tells people something. */
  readonly remark: (message: string) => void
  /** Whether what is there is all that is to come. */
  readonly isLast: boolean
}

/** What stands so closely before the place up to which a file is imported tells whether it was rewritten. */
const TAIL_BYTES = 4096
/** Half a record is told of when nothing has followed for so long. */
const PATIENCE_MS = 10_000

type Item = FoundRecord | BadRecord

/**
 * A file that is appended to or rewritten. What was imported of it is not read again, unless it was rewritten; half a
 * record at its end is waited for.
 */
export class FollowedFile {
  #position: FilePosition
  #digested = new Digested()
  #encode: ReturnType<typeof recordEncoder> | undefined
  /** The bytes before the place up to which the file is imported; undefined if another process did that. */
  #tail: Buffer | undefined
  /** When the file was first seen as it is. */
  #seenAt = 0
  /** What the end of the file lacks. */
  #missing: 'half' | 'line end' | undefined
  #isTold = false
  /** When the file may be read from its beginning again. */
  #readableAt = 0

  constructor(known: FilePosition | FoundFile) {
    if ('digest' in known) this.#position = known
    else {
      this.#position = { ...known, size: -1, offset: 0, lines: 0, digest: this.#digested.digest, byPlace: false }
      this.#tail = Buffer.alloc(0)
    }
  }

  get position(): FilePosition {
    return this.#position
  }

  /** Imports what is new in the file, as it was found now. */
  async look(found: FoundFile, options: LookOptions): Promise<void> {
    const { size, changed } = this.#position
    const isChanged = found.size !== size || found.changed !== changed
    if (isChanged) this.#seenAt = performance.now()
    else if (this.#missing !== 'line end' && !(options.isLast && this.#missing)) {
      this.#position = { ...this.#position, path: found.path, id: found.id }
      return this.#tellOfHalf(options)
    }
    if (!(await this.#isAppended(found, options.encodeOptions)) || this.#position.offset === 0) {
      this.#begin(options.encodeOptions)
      if (performance.now() < this.#readableAt && !options.isLast) return
    }
    const from = this.#position.offset
    const to = await this.#read(found, options, !isChanged || options.isLast)
    if (from === 0 && !this.#missing) this.#readableAt = performance.now() + pauseAfter(found.size)
    await this.#digested.add(found.path, { from, to })
    const { digest, lines } = this.#digested
    this.#position = { ...this.#position, ...found, offset: to, digest, lines }
    this.#tail = await bytesBefore(found.path, to, TAIL_BYTES)
  }

  /** Whether what is imported of the file still stands at its beginning. */
  async #isAppended(found: FoundFile, options: EncodeOptions): Promise<boolean> {
    const { offset, size, changed } = this.#position
    if (found.size < offset) return false
    // The last bytes cannot tell whether all before them is as it was.
    if (found.size === size && found.changed !== changed) return false
    if (this.#tail) return this.#tail.equals(await bytesBefore(found.path, offset, TAIL_BYTES))
    return this.#catchUp(found, options)
  }

  /** Reads what another process has imported, to go on where it ended; false if it is no longer there. */
  async #catchUp({ path }: FoundFile, options: EncodeOptions): Promise<boolean> {
    const { offset, digest, byPlace } = this.#position
    const digested = new Digested()
    await digested.add(path, { from: 0, to: offset })
    if (digested.digest !== digest) return false
    this.#digested = digested
    const encode = recordEncoder(options)
    this.#encode = encode
    if (!byPlace) return true
    for await (const item of findRecords(bytesOf(path, { from: 0, to: offset }), options.format)) {
      if (!('error' in item)) attempt(() => encode(item))
    }
    return true
  }

  #begin(options: EncodeOptions): void {
    this.#encode = recordEncoder(options)
    this.#digested = new Digested()
    this.#tail = Buffer.alloc(0)
    this.#position = { ...this.#position, offset: 0, lines: 0, digest: this.#digested.digest, byPlace: false }
  }

  /** Imports the records from the position on. Resolves to how far they go. */
  async #read(found: FoundFile, options: LookOptions, isQuiet: boolean): Promise<number> {
    const range = { from: this.#position.offset, to: found.size }
    let held: Item | undefined
    this.#missing = undefined
    for await (const item of findRecords(bytesOf(found.path, range), options.encodeOptions.format)) {
      if (held) await this.#take(held, found, options)
      held = item
    }
    if (!held) return range.from
    this.#missing = await this.#missingAfter(held, found, options.isLast, isQuiet)
    if (this.#missing) return lineStart(found.path, range, held.line)
    await this.#take(held, found, options)
    // A file that is one record of many lines grows by becoming another record.
    return 'dialect' in held && framingOf(held.dialect.name) ? 0 : range.to
  }

  async #missingAfter(
    last: Item,
    { path, size }: FoundFile,
    isLast: boolean,
    isQuiet: boolean,
  ): Promise<'half' | 'line end' | undefined> {
    if ('error' in last) return isLast || last.error.code === 'unknown_dialect' ? undefined : 'half'
    this.#isTold = false
    // Such a record is named by its bytes, to which the end of its line belongs.
    return isNamedByBytes(last) && !isQuiet && !(await endsLine(path, size)) ? 'line end' : undefined
  }

  async #take(item: Item, { path }: FoundFile, { importer, refuse }: LookOptions): Promise<void> {
    const line = this.#position.lines + item.line
    if ('error' in item) return refuse(item.error, path, line)
    if (isNamedByBytes(item)) this.#position = { ...this.#position, byPlace: true }
    const record = attempt(() => this.#encode?.(item))
    if (record instanceof PlanspanError) return refuse(record, path, line)
    if (record) await importer.add(record, path)
  }

  #tellOfHalf({ remark }: LookOptions): void {
    if (this.#missing !== 'half' || this.#isTold || performance.now() - this.#seenAt < PATIENCE_MS) return
    this.#isTold = true
    remark(`${this.#position.path} ends within a record; the rest of it is waited for.`)
  }
}

/** Whether the record has no other name than its bytes and its place among equal ones. */
const isNamedByBytes = ({ dialect }: FoundRecord): boolean => dialect.name === 'review-log'

/** A result, or the error that a record is bad. */
function attempt<T>(work: () => T): T | PlanspanError {
  try {
    return work()
  } catch (error) {
    if (error instanceof PlanspanError) return error
    throw error
  }
}
