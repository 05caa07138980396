/**
 * Returns SQL for the state of a row at a time, which is SQL for a DateTime64. A row says itself when its plan becomes
 * interrupted if nothing more arrives. `row` is what stands before the names of its columns.
 */
export const stateAt = (time: string, row: 'span.' | '' = ''): string =>
  `if(${row}InterruptedAt <= ${time}, 'interrupted', ${row}State)`
