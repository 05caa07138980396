import { describe, expect, test } from 'vitest'

import type { Admission } from '../../../src/access/index.js'
import { heldBody } from '../../../src/server/guard/guard.js'

/** A body whose chunks are made on demand, and a request that the test ends. */
function held({ pieces = Infinity, isLive = false, breaksOff = false } = {}) {
  let made = 0
  let isCancelled = false
  let end = (): void => {}
  let released = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (made < pieces) controller.enqueue(Uint8Array.of(++made))
        else if (breaksOff) controller.error(new Error('ClickHouse is gone.'))
        else controller.close()
      },
      cancel() {
        isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  const admission: Admission = {
    principal: { name: 'me', scopes: ['read'] },
    set onEnd(callback: () => void) {
      end = callback
    },
    release: () => void released++,
  }
  const reader = heldBody(body, admission, { isLive }).getReader()
  return {
    reader,
    endToken: () => end(),
    get state() {
      return { made, isCancelled, isReleased: released > 0 }
    },
  }
}

describe('the body of a response', () => {
  test('is produced as it is read, and counted until it ends, fails or loses its reader', async () => {
    const left = held()
    await left.reader.read()
    expect(left.state).toEqual({ made: 1, isCancelled: false, isReleased: false })
    await left.reader.cancel()
    expect(left.state).toEqual({ made: 1, isCancelled: true, isReleased: true })

    const broken = held({ pieces: 1, breaksOff: true })
    await broken.reader.read()
    await expect(broken.reader.read()).rejects.toThrow('ClickHouse is gone.')
    expect(broken.state.isReleased).toBe(true)

    const whole = held({ pieces: 1 })
    await whole.reader.read()
    expect(await whole.reader.read()).toMatchObject({ done: true })
    expect(whole.state).toEqual({ made: 1, isCancelled: false, isReleased: true })
  })

  test.each([true, false])(
    'ends with its token: normally if it is live (%s), otherwise with an error',
    async (isLive) => {
      const one = held({ isLive })
      await one.reader.read()
      one.endToken()
      if (isLive) expect(await one.reader.read()).toMatchObject({ done: true })
      else await expect(one.reader.read()).rejects.toThrow('The token has ended.')
      expect(one.state).toMatchObject({ isCancelled: true, isReleased: true })
    },
  )
})
