import type * as Ffi from 'ffi-rs'
import { closeSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { Engine } from './engine.js'

const lockExclusiveNonBlocking = 2 | 4

function loadLibc({ ffi }: Engine): typeof Ffi {
  const loaded = createRequire(import.meta.url)(ffi) as typeof Ffi
  // An empty path opens the running program itself, which contains libc.
  loaded.open({ library: 'libc', path: '' })
  return loaded
}

/** Returns a function that tries to take the exclusive lock of an open file and returns whether it succeeded. */
export function loadFlock(engine: Engine): (fd: number) => boolean {
  const { DataType, load } = loadLibc(engine)
  return (fd) =>
    load({
      library: 'libc',
      funcName: 'flock',
      retType: DataType.I32,
      paramsType: [DataType.I32, DataType.I32],
      paramsValue: [fd, lockExclusiveNonBlocking],
    }) === 0
}

/** Takes the lock of a file and returns its release function; undefined if another process holds the lock. */
export function lockFile(path: string, engine: Engine): (() => void) | undefined {
  const fd = openSync(path, 'a+', 0o600)
  if (loadFlock(engine)(fd)) return () => closeSync(fd)
  closeSync(fd)
  return undefined
}

/** Writes all cached data to the disks: one call for many files. */
export function syncDisks(engine: Engine): void {
  const { DataType, load } = loadLibc(engine)
  load({ library: 'libc', funcName: 'sync', retType: DataType.Void, paramsType: [], paramsValue: [] })
}
