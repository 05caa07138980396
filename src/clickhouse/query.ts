const timeoutMs = 1000

/** An answer over HTTP: an error's text where it is not ok. */
export interface Answer {
  readonly ok: boolean
  readonly text: string
}

/**
 * Asks the ClickHouse on a port one thing; undefined when nothing answers, be it not listening yet, or something else.
 */
export async function query(httpPort: number, [name, password]: SignIn, sql: string): Promise<Answer | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${httpPort}/`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` },
      body: sql,
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { ok: response.ok, text: await response.text() }
  } catch {
    return undefined
  }
}

/** Whom to ask as. */
export type SignIn = readonly [name: string, password: string]
