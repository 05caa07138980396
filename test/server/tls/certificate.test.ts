import { once } from 'node:events'
import { copyFileSync, mkdirSync, renameSync, symlinkSync, truncateSync } from 'node:fs'
import { Agent, get } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { join } from 'node:path'
import { connect, type ConnectionOptions } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { listen } from '../../../src/server/http/listen.js'
import { Certificate, shownHost } from '../../../src/server/tls/certificate.js'
import { type Authority, type CertificateFiles, testAuthority } from '../../support/certificates.js'

let authority: Authority
let first: CertificateFiles
let second: CertificateFiles
beforeAll(() => {
  authority = testAuthority()
  first = authority.make('first')
  second = authority.make('second')
})
afterAll(() => authority[Symbol.dispose]())

let warnings: string[]
beforeEach(() => {
  warnings = []
  vi.spyOn(process, 'emitWarning').mockImplementation((text) => void warnings.push(String(text)))
})
afterEach(() => vi.restoreAllMocks())

const WAIT = { timeout: 10_000, interval: 50 }

async function serving(files: CertificateFiles): Promise<{ certificate: Certificate; port: number }> {
  const certificate = await Certificate.open(files)
  const listener = await listen(() => new Response('here'), { host: '127.0.0.1', port: 0, certificate })
  onTestFinished(async () => {
    certificate.close()
    await listener.close(AbortSignal.abort())
  })
  return { certificate, port: listener.port }
}

/** The name of the certificate that a server presents. */
async function shownBy(port: number, options: ConnectionOptions = {}): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', ca: authority.pem, ...options })
  await once(socket, 'secureConnect')
  const { CN } = socket.getPeerCertificate().subject
  socket.destroy()
  return String(CN)
}

/** Copies of a pair, to be replaced. */
function copies(name: string): CertificateFiles {
  const files = {
    cert: join(authority.directory, `${name}-copy.crt`),
    key: join(authority.directory, `${name}-copy.key`),
  }
  put(first, files)
  return files
}

/** Replaces files as certbot does. */
function put(from: Partial<CertificateFiles>, to: CertificateFiles): void {
  for (const part of ['cert', 'key'] as const) {
    const source = from[part]
    if (source === undefined) continue
    copyFileSync(source, `${to[part]}.new`)
    renameSync(`${to[part]}.new`, to[part])
  }
}

describe('a replaced certificate', () => {
  it('is used by new connections, and closes none', async () => {
    const files = copies('renamed')
    const { port } = await serving(files)
    const agent = new Agent({ ca: authority.pem, keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const ask = () =>
      new Promise<[string, boolean]>((resolve, reject) => {
        const request = get({ port, host: '127.0.0.1', agent }, (response) => {
          let text = ''
          response.on('data', (chunk: Buffer) => (text += chunk.toString()))
          response.on('end', () => resolve([text, request.reusedSocket]))
        }).once('error', reject)
      })
    expect(await ask()).toEqual(['here', false])
    put(second, files)
    await vi.waitFor(async () => expect(await shownBy(port)).toBe('second'), WAIT)
    expect(await ask()).toEqual(['here', true])
    expect(warnings).toEqual([])
  })

  it('is detected behind a replaced symbolic link, as in Kubernetes', async () => {
    const directory = join(authority.directory, 'mounted')
    for (const [version, { cert, key }] of Object.entries({ v1: first, v2: second })) {
      mkdirSync(join(directory, version), { recursive: true })
      copyFileSync(cert, join(directory, version, 'tls.crt'))
      copyFileSync(key, join(directory, version, 'tls.key'))
    }
    symlinkSync('v1', join(directory, '..data'))
    const files = { cert: join(directory, 'tls.crt'), key: join(directory, 'tls.key') }
    symlinkSync(join('..data', 'tls.crt'), files.cert)
    symlinkSync(join('..data', 'tls.key'), files.key)
    const { port } = await serving(files)
    expect(await shownBy(port)).toBe('first')
    symlinkSync('v2', join(directory, '..new'))
    renameSync(join(directory, '..new'), join(directory, '..data'))
    await vi.waitFor(async () => expect(await shownBy(port)).toBe('second'), WAIT)
  })

  it.each([
    ['without its new key', (files: CertificateFiles) => put({ cert: second.cert }, files), /is not that of/],
    ['with a truncated certificate', (files: CertificateFiles) => truncateSync(files.cert, 200), /not all of one/],
    ['with a truncated key', (files: CertificateFiles) => truncateSync(files.key, 100), /no private key/],
  ])('is not used while it is a pair %s, which is logged once', async (name, spoil, reason) => {
    const files = copies(name.replaceAll(' ', '-'))
    const { certificate, port } = await serving(files)
    spoil(files)
    await vi.waitFor(() => expect(certificate.report.failure).toMatch(reason), WAIT)
    expect(await shownBy(port)).toBe('first')
    put(second, files)
    await vi.waitFor(async () => expect(await shownBy(port)).toBe('second'), WAIT)
    expect(certificate.report).not.toHaveProperty('failure')
    expect(warnings).toEqual([expect.stringMatching(reason)])
    expect(warnings[0]).toMatch(/stays in use/)
  })
})

describe('a certificate', () => {
  it.each([
    [
      'that is not there',
      () => ({ cert: '/nowhere/a.crt', key: '/nowhere/a.key' }),
      /a\.crt cannot be read \(ENOENT\)/,
    ],
    [
      'with the key of another',
      () => ({ cert: first.cert, key: second.key }),
      /second\.key is not that of .*first\.crt/,
    ],
    ['given twice', () => ({ cert: first.cert, key: first.cert }), /first\.crt holds no private key/],
    ['given as its key', () => ({ cert: first.key, key: first.key }), /first\.key holds no certificate/],
  ])('%s prevents the start', async (_, files, reason) => {
    await expect(Certificate.open(files())).rejects.toMatchObject({
      code: 'certificate_unusable',
      message: expect.stringMatching(reason),
    })
  })

  it('reports when it expires, and warns once shortly before', async () => {
    const ending = await Certificate.open(authority.make('ending', { days: 3 }))
    const lasting = await Certificate.open(first)
    onTestFinished(() => [ending, lasting].forEach((one) => one.close()))
    expect(lasting.report).toEqual({ endsAt: expect.stringMatching(/^\d{4}-.*Z$/), endsSoon: false })
    const days = (Date.parse(lasting.report.endsAt) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(19)
    expect(days).toBeLessThan(20.1)
    expect(ending.report.endsSoon).toBe(false)
    vi.useFakeTimers({ now: Date.parse(ending.report.endsAt) - 20 * 3_600_000, toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    await vi.waitFor(
      () => expect(warnings).toEqual([expect.stringMatching(/ending\.crt ends at .*without a restart/)]),
      WAIT,
    )
    expect(ending.report.endsSoon).toBe(true)
  })

  it('is never used below TLS 1.2, or without encryption', async () => {
    const { port } = await serving(first)
    const old = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    await expect(shownBy(port, old)).rejects.toThrow(/protocol version|unsupported protocol|alert|ECONNRESET/)
    const socket = connectPlain(port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await once(socket, 'close')
    await vi.waitFor(() => expect(warnings.at(-1)).toMatch(/^A connection was refused; the last, from 127\.0\.0\.1, /))
  })
})

describe('the shown address', () => {
  it.each([
    ['127.0.0.1', 'IP:127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', 'DNS:localhost', 'localhost'],
    ['127.0.0.1', 'DNS:planspan.example', '127.0.0.1'],
    ['0.0.0.0', 'DNS:planspan.example', 'planspan.example'],
    ['0.0.0.0', 'DNS:*.example,DNS:planspan.example', 'planspan.example'],
    ['::', 'DNS:*.example', '127.0.0.1'],
    ['::1', 'IP:::1', '[::1]'],
    ['10.0.0.7', 'DNS:planspan.example', '10.0.0.7'],
  ])('of a server on %s with a certificate for %s is %s', async (host, names, shown) => {
    const certificate = await Certificate.open(authority.make(`for-${names.replaceAll(/\W/g, '-')}`, { names }))
    onTestFinished(() => certificate.close())
    expect(shownHost(host, certificate)).toBe(shown)
  })
})
