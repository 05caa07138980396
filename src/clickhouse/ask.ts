const timeoutMs = 1000

/** An HTTP response. Its text is the error message if it is not ok. */
interface Answer {
  readonly ok: boolean
  readonly text: string
}

/** Runs a query on the ClickHouse at a port. Returns undefined without a response, for example before it listens. */
export async function ask(httpPort: number, [name, password]: SignIn, sql: string): Promise<Answer | undefined> {
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

/** The user to run a query as. */
type SignIn = readonly [name: string, password: string]
