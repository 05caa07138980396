/** Parses OTEL_EXPORTER_OTLP_HEADERS: `key1=value1,key2=value2`; values are percent-encoded. */
export function otlpHeaders(value: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const pair of (value ?? '').split(',')) {
    const [key, ...rest] = pair.split('=')
    if (key?.trim() && rest.length > 0) headers[key.trim()] = percentDecoded(rest.join('=').trim())
  }
  return headers
}

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
