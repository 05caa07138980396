import type { FreshPart } from '../store/index.js'

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
