/**
 * Returns SQL for the state of a row at a time, which is SQL for a DateTime64. A row says itself when its plan becomes
 * interrupted if nothing more arrives.
 */
export const stateAt = (time: string): string => `if(InterruptedAt <= ${time}, 'interrupted', State)`
