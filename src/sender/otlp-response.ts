/** An OTLP receiver's answer to a request that it accepted. */
export interface PartialSuccess {
  readonly rejected: number
  readonly reason: string
}

/** Reads an ExportTraceServiceResponse; any other body means that all spans were accepted. */
export function readPartialSuccess(body: string): PartialSuccess {
  const partial = memberOf(parse(body), 'partialSuccess')
  const rejected = Number(memberOf(partial, 'rejectedSpans') ?? 0)
  const reason = memberOf(partial, 'errorMessage')
  return {
    rejected: Number.isSafeInteger(rejected) ? rejected : 0,
    reason: typeof reason === 'string' ? reason : '',
  }
}

/** A receiver's reason for refusing a request: the message of its google.rpc.Status, else the body. */
export function readRefusal(body: string): string {
  const message = memberOf(parse(body), 'message')
  return typeof message === 'string' && message !== '' ? message : body.replaceAll(/\s+/g, ' ').trim().slice(0, 500)
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
