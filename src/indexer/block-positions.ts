import {
  findFreshParts,
  noteIndexed,
  readPositions,
  type FreshPart,
  type Positions,
  type QueryTarget,
  type SpanSource,
} from '../store/index.js'

/** How long another indexer is assumed to run after this one has started or has seen its positions, milliseconds. */
const OTHERS_MS = 10_000
/** The minimum time between two writes of positions while no caller waits, milliseconds. */
const NOTE_MS = 2_000

/** The blocks of a span table that this indexer has read, and those that are recorded as indexed. */
export class BlockPositions {
  readonly source: SpanSource
  /** The last block of each partition that this indexer has read, regardless of other indexers. */
  readonly #read: Map<string, number>
  /** The last block of each partition that is recorded as indexed. */
  readonly #noted: Map<string, number>
  #begin: number
  /** The last block whose rows another indexer, or an earlier run of this one, may have written. */
  #contested = 0
  /** The time until which another indexer is assumed to run, Unix milliseconds. */
  #othersUntil = 0
  #notedAt = 0

  /** Reads the positions at which the last run of an indexer ended. */
  static async open(target: QueryTarget, source: SpanSource): Promise<BlockPositions> {
    const positions = new BlockPositions(source, await readPositions(target, source))
    positions.#contest(await findFreshParts(target, source, positions.read))
    return positions
  }

  private constructor(source: SpanSource, noted: Map<string, number>) {
    this.source = source
    this.#read = noted
    this.#noted = new Map(noted)
    this.#begin = lastOf(noted)
  }

  /** The last block of each partition that this indexer has read. */
  get read(): Positions {
    return this.#read
  }

  /** The last block that was read before the memory of traces began. */
  get begin(): number {
    return this.#begin
  }

  /** Finds the parts with unread blocks. If a later block of a partition is recorded, another indexer is running. */
  async findFresh(target: QueryTarget): Promise<FreshPart[]> {
    const parts = await findFreshParts(target, this.source, this.#read)
    if (parts.some(({ noted, indexed }) => noted > indexed)) this.#contest(parts)
    return parts
  }

  /** Whether another indexer may be writing rows for the same parts. */
  isContested(parts: readonly FreshPart[]): boolean {
    return parts.some(({ minBlock }) => minBlock <= this.#contested)
  }

  /** Whether another indexer is assumed to run. */
  get hasOthers(): boolean {
    return Date.now() < this.#othersUntil
  }

  /** Marks the blocks of some parts as read. */
  advance(parts: readonly FreshPart[]): void {
    for (const { partition, maxBlock } of parts) {
      this.#read.set(partition, Math.max(maxBlock, this.#read.get(partition) ?? 0))
    }
  }

  /** Makes the memory of traces begin after the blocks read so far. */
  beginAnew(): void {
    this.#begin = lastOf(this.#read)
  }

  /** Records blocks as indexed. Unless the record is urgent, a later call may write it. */
  async note(target: QueryTarget, indexed: Positions, { isUrgent }: { readonly isUrgent: boolean }): Promise<void> {
    if (!isUrgent && Date.now() - this.#notedAt < NOTE_MS) return
    const changed = new Map([...indexed].filter(([partition, block]) => block > (this.#noted.get(partition) ?? 0)))
    await noteIndexed(target, this.source, changed)
    this.#notedAt = Date.now()
    for (const [partition, block] of changed) this.#noted.set(partition, block)
  }

  #contest(parts: readonly FreshPart[]): void {
    this.#contested = parts.reduce((last, { maxBlock }) => Math.max(last, maxBlock), this.#contested)
    this.#othersUntil = Date.now() + OTHERS_MS
  }
}

const lastOf = (positions: Positions): number =>
  [...positions.values()].reduce((last, block) => Math.max(last, block), 0)

/** The maximum number of rows of the parts that are read together. */
const GROUP_ROWS = 65_536

/** Whether no block of a part was read. */
const isUnread = ({ minBlock, indexed }: FreshPart): boolean => minBlock > indexed

/** Groups parts that are read together: small unread ones. A part that was read up to some block is read alone. */
export function groupsOf(parts: readonly FreshPart[]): FreshPart[][] {
  const groups: FreshPart[][] = []
  let rows = Number.POSITIVE_INFINITY
  for (const part of parts) {
    const group = groups.at(-1)
    if (group && isUnread(part) && rows + part.rows <= GROUP_ROWS) {
      group.push(part)
      rows += part.rows
    } else {
      groups.push([part])
      rows = isUnread(part) ? part.rows : Number.POSITIVE_INFINITY
    }
  }
  return groups
}
