/** The limits of one connection, before any token is checked. */
export const CONNECTION_LIMITS = {
  /** The time for the head of a request, and for the first call of a gRPC connection, milliseconds. */
  headMs: 20_000,
  /** The head of a request over HTTP, bytes. A path holds ids of records, which may be long. */
  httpHeadBytes: 64 << 10,
  /** The requests that a client may send over HTTP/1 before it has the response to the first. */
  pipelined: 8,
  /** The metadata of a gRPC call. */
  metadataBytes: 16 << 10,
  metadataPairs: 64,
  /** The gRPC calls in progress, until one has succeeded and afterwards. */
  firstCalls: 16,
  calls: 128,
  /** The time for the rest of a body that was answered early, milliseconds. */
  discardMs: 10_000,
  /** The requests in a row that are rejected because of their credentials or their form. */
  refused: 32,
} as const
