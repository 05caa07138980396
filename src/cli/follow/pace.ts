const BYTES_PER_SECOND = 65_536

/**
 * How long to leave a record alone after a generation of it was imported, milliseconds: a record that grows step by
 * step is stored again as a whole, so that a large one that is taken at each step would cost the square of its size.
 */
export const pauseAfter = (bytes: number): number => (bytes / BYTES_PER_SECOND) * 1000
