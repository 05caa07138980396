import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A certificate and its key, as files. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

/** A certificate authority for a test, created by `openssl`. */
export interface Authority extends Disposable {
  /** Its directory, which tests may use for their files. */
  readonly directory: string
  /** The path of its certificate, and the certificate itself. */
  readonly file: string
  readonly pem: Buffer
  /** Creates a certificate for names and addresses such as `DNS:localhost` that expires after the given days. */
  make(name: string, options?: { readonly names?: string; readonly days?: number }): CertificateFiles
}

export function testAuthority(): Authority {
  const directory = mkdtempSync(join(tmpdir(), 'planspan-tls-'))
  const file = (name: string) => join(directory, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const newKey = (path: string) => openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', path)
  writeFileSync(
    file('req.cnf'),
    '[req]\ndistinguished_name=dn\nx509_extensions=ca\n[dn]\n[ca]\nbasicConstraints=CA:TRUE\n',
  )
  const request = (key: string, subject: string) => [
    '-new',
    '-key',
    key,
    '-subj',
    `/CN=${subject}`,
    '-config',
    file('req.cnf'),
  ]
  newKey(file('ca.key'))
  openssl('req', '-x509', ...request(file('ca.key'), 'authority'), '-days', '30', '-out', file('ca.crt'))
  return {
    directory,
    file: file('ca.crt'),
    pem: readFileSync(file('ca.crt')),
    make(name, { names = 'DNS:localhost,IP:127.0.0.1', days = 20 } = {}) {
      const made = { cert: file(`${name}.crt`), key: file(`${name}.key`) }
      writeFileSync(file(`${name}.ext`), `subjectAltName=${names}\n`)
      newKey(made.key)
      openssl('req', ...request(made.key, name), '-out', file(`${name}.csr`))
      const authority = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial']
      const about = ['-days', String(days), '-extfile', file(`${name}.ext`)]
      openssl('x509', '-req', '-in', file(`${name}.csr`), ...authority, ...about, '-out', made.cert)
      return made
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  }
}
