import { querySql, readRows, type QueryTarget } from '../client/query.js'

/** A part that ClickHouse could not read and has set aside. */
export interface BrokenPart {
  readonly table: string
  readonly part: string
  readonly partition: string
  readonly reason: string
  /** Where ClickHouse keeps the part. */
  readonly path: string
  readonly bytes: number
}

/** Reads the parts of a database that ClickHouse has set aside. Throws the client's errors. */
export const readBrokenParts = ({ client, url, database }: QueryTarget): Promise<BrokenPart[]> =>
  readRows({ client, url, database }, querySql('broken_parts', {}), { database })
