import { type AddressInfo, createServer, type Server } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'

import { reservePorts } from '../../src/clickhouse/ports.js'

function occupyPort(): Promise<number> {
  return new Promise((resolve) => {
    const server: Server = createServer().listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
    onTestFinished(() => {
      server.close()
    })
  })
}

describe('reserving ports', () => {
  it('picks two different free ports for 0', async () => {
    const { http, native } = await reservePorts({ http: 0, native: 0 })
    expect(http).toBeGreaterThan(0)
    expect(native).toBeGreaterThan(0)
    expect(native).not.toBe(http)
  })

  it('keeps given free ports, and leaves them free', async () => {
    const ports = await reservePorts({ http: 0, native: 0 })
    expect(await reservePorts(ports)).toEqual(ports)
    expect(await reservePorts(ports)).toEqual(ports)
  })

  it('prefers the given free ports for 0, and only for 0', async () => {
    const preferred = await reservePorts({ http: 0, native: 0 })
    expect(await reservePorts({ http: 0, native: 0 }, preferred)).toEqual(preferred)
    const taken = await occupyPort()
    const { http, native } = await reservePorts({ http: 0, native: 0 }, { http: taken, native: preferred.native })
    expect(http).not.toBe(taken)
    expect(native).toBe(preferred.native)
    await expect(reservePorts({ http: taken, native: 0 }, preferred)).rejects.toMatchObject({ code: 'port_in_use' })
  })

  it.each(['http', 'native'])('names the %s port that is in use', async (which) => {
    const taken = await occupyPort()
    await expect(reservePorts({ http: 0, native: 0, [which]: taken })).rejects.toMatchObject({
      code: 'port_in_use',
      message: expect.stringContaining(String(taken)),
    })
  })

  it('rejects two equal ports', async () => {
    const { http } = await reservePorts({ http: 0, native: 0 })
    await expect(reservePorts({ http, native: http })).rejects.toMatchObject({ code: 'port_in_use' })
  })
})
