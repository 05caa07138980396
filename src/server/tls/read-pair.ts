import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'

import { PlanspanError } from '../../error.js'

/** PEM files: a certificate, followed by its intermediate certificates, and its private key. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

/** A matching certificate and key. */
export interface Pair {
  readonly cert: Buffer
  readonly key: Buffer
  readonly leaf: X509Certificate
}

/** Reads a pair. Throws `certificate_unusable` if a server cannot use it. */
export async function readPair(files: TlsFiles): Promise<Pair> {
  // Sequential, so that the error names the certificate if both files are unreadable.
  const cert = await read(files.cert)
  const key = await read(files.key)
  const leaf = certificateIn(cert, files.cert)
  if (!leaf.checkPrivateKey(keyIn(key, files.key))) {
    throw unusable(`The key in ${files.key} is not that of the certificate in ${files.cert}. Give both of one pair.`)
  }
  try {
    // Reads the certificates below the first as well.
    createSecureContext({ cert, key })
  } catch (error) {
    throw unusable(`The certificates in ${files.cert} cannot be used (${said(error)}).`, error)
  }
  return { cert, key, leaf }
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw unusable(`The file ${path} cannot be read (${String((error as NodeJS.ErrnoException).code)}).`, error)
  }
}

function certificateIn(bytes: Buffer, path: string): X509Certificate {
  try {
    return new X509Certificate(bytes)
  } catch (error) {
    throw unusable(`The file ${path} holds no certificate in PEM, or not all of one (${said(error)}).`, error)
  }
}

function keyIn(bytes: Buffer, path: string): KeyObject {
  try {
    return createPrivateKey(bytes)
  } catch (error) {
    throw unusable(`The file ${path} holds no private key in PEM without a passphrase (${said(error)}).`, error)
  }
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const unusable = (message: string, cause?: unknown): PlanspanError =>
  new PlanspanError('certificate_unusable', message, { cause })
