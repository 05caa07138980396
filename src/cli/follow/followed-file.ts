import { PlanspanError } from '../../error.js'
import { framingOf, recordEncoder, type BadRecord, type EncodeOptions, type FoundRecord } from '../../mapping/index.js'
import { findRecords } from '../records/read-records.js'
import { bytesBefore, bytesOf, Digested, endsLine, lineStart } from './file-bytes.js'
import type { Importer } from './importer.js'
import { pauseAfter } from './pause.js'
import type { FilePosition } from './state-file.js'

/** A file as it was found in the file system. */
export type FoundFile = Pick<FilePosition, 'path' | 'id' | 'size' | 'changed'>

export interface LookOptions {
  readonly importer: Importer
  readonly encodeOptions: EncodeOptions
  /** Receives each invalid record, with its line. */
  readonly refuse: (error: PlanspanError, path: string, line: number) => void
  /** Shows a message to people. */
  readonly remark: (message: string) => void
  /** Whether the file is complete, so that nothing more will be appended. */
  readonly isLast: boolean
}

/** The number of bytes before the imported position that are compared to detect a rewritten file. */
const TAIL_BYTES = 4096
/** An incomplete record is reported if nothing was appended for this long. */
const PATIENCE_MS = 10_000

type Item = FoundRecord | BadRecord

/**
 * A file that is appended to or rewritten. Imported records are not read again unless the file was rewritten; an
 * incomplete record at the end waits for its rest.
 */
export class FollowedFile {
  #position: FilePosition
  #digested = new Digested()
  #encode: ReturnType<typeof recordEncoder> | undefined
  /** The bytes before the imported position; undefined if another process imported up to there. */
  #tail: Buffer | undefined
  /** The time at which the file's current state was first seen. */
  #seenAt = 0
  /** What is missing at the end of the file. */
  #missing: 'half' | 'line end' | undefined
  #isReported = false
  /** The earliest time at which the file is read from its start again. */
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

  /** Imports the new records of the file, as it was found now. */
  async look(found: FoundFile, options: LookOptions): Promise<void> {
    const { size, changed } = this.#position
    const isChanged = found.size !== size || found.changed !== changed
    if (isChanged) this.#seenAt = performance.now()
    else if (this.#missing !== 'line end' && !(options.isLast && this.#missing)) {
      this.#position = { ...this.#position, path: found.path, id: found.id }
      return this.#reportIncomplete(options)
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

  /** Whether the file still begins with the imported bytes. */
  async #isAppended(found: FoundFile, options: EncodeOptions): Promise<boolean> {
    const { offset, size, changed } = this.#position
    if (found.size < offset) return false
    // The last bytes do not show whether all bytes before them are unchanged.
    if (found.size === size && found.changed !== changed) return false
    if (this.#tail) return this.#tail.equals(await bytesBefore(found.path, offset, TAIL_BYTES))
    return this.#catchUp(found, options)
  }

  /** Reads the part that another process imported; returns false if the file no longer begins with it. */
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

  /** Imports the records from the position on. Resolves to the end of the imported part. */
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
    // A file with one record of many lines grows by changing that record.
    return 'dialect' in held && framingOf(held.dialect.name) ? 0 : range.to
  }

  async #missingAfter(
    last: Item,
    { path, size }: FoundFile,
    isLast: boolean,
    isQuiet: boolean,
  ): Promise<'half' | 'line end' | undefined> {
    if ('error' in last) return isLast || last.error.code === 'unknown_dialect' ? undefined : 'half'
    this.#isReported = false
    // A record without an id is identified by its bytes, including the end of its line.
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

  #reportIncomplete({ remark }: LookOptions): void {
    if (this.#missing !== 'half' || this.#isReported || performance.now() - this.#seenAt < PATIENCE_MS) return
    this.#isReported = true
    remark(`${this.#position.path} ends within a record; waiting for the rest.`)
  }
}

/** Whether a record has no id and is identified by its bytes and its position among equal records. */
const isNamedByBytes = ({ dialect }: FoundRecord): boolean => dialect.name === 'review-log'

/** Returns the result, or the error of an invalid record. */
function attempt<T>(work: () => T): T | PlanspanError {
  try {
    return work()
  } catch (error) {
    if (error instanceof PlanspanError) return error
    throw error
  }
}
