/**
 * The size of rows, or of a file, that the thread which answers all requests works on itself, bytes: a matter of a few
 * milliseconds.
 */
export const SMALL_BYTES = 256 << 10
