/** The maximum size of rows that the main thread processes itself, bytes; it takes a few milliseconds. */
export const SMALL_BYTES = 256 << 10

/** The same for a trace request, in which a span may take only two bytes. */
export const SMALL_REQUEST_BYTES = 64 << 10

/** The same for a file, in which a span may take only three bytes and needs more time. */
export const SMALL_FILE_BYTES = 4 << 10
