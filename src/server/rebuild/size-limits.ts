/** The size of rows that the thread of all requests works on itself, bytes: a matter of a few milliseconds. */
export const SMALL_BYTES = 256 << 10

/** The same of a request for the store, which may hold a span in two bytes. */
export const SMALL_REQUEST_BYTES = 64 << 10

/** The same of a file, which may hold a span in three bytes, and each takes longer. */
export const SMALL_FILE_BYTES = 4 << 10
