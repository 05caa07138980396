const INDENT = 16
/** Below this level, rows are numbered and indented less, so that names keep enough room. */
const NUMBERED = 12
const SMALL_INDENT = 3
const WIDEST = 300

/** Returns the indentation of a row at a level of the tree, pixels. */
export const indentOf = (level: number): number =>
  level <= NUMBERED ? level * INDENT : Math.min(WIDEST, NUMBERED * INDENT + (level - NUMBERED) * SMALL_INDENT)

/** Returns the number of a deep level, from 1; empty for a level that the indentation shows. */
export const levelText = (level: number): string => (level <= NUMBERED ? '' : String(level + 1))
