import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A self-signed certificate for 127.0.0.1 and localhost, and its key. */
export const CERTIFICATE = fileURLToPath(new URL('../fixtures/tls/certificate.pem', import.meta.url))
const KEY = fileURLToPath(new URL('../fixtures/tls/key.pem', import.meta.url))

/** One of the tokens that the gateways accept. */
export const TOKEN = 'one-of-two-tokens'

/** The environment of gateway.yaml: the paths of certificate, key and tokens, in files below a directory. */
export async function gatewayEnvironment(directory: string): Promise<Record<string, string>> {
  const tokens = join(directory, 'tokens')
  await writeFile(tokens, `another-token\n${TOKEN}\n`)
  return {
    TLS_CERT_FILE: CERTIFICATE,
    TLS_KEY_FILE: KEY,
    BEARER_TOKEN_FILE: tokens,
    METRICS_HOST: '127.0.0.1',
  }
}
