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

/** A function that takes the exclusive lock of an open file, and tells whether it could. */
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

/**
 * Takes the lock of a file, which ends with this process; undefined if another has it. Answers how to release it.
 */
export function lockFile(path: string, engine: Engine): (() => void) | undefined {
  const fd = openSync(path, 'a+', 0o600)
  if (loadFlock(engine)(fd)) return () => closeSync(fd)
  closeSync(fd)
  return undefined
}

/** Resolves when the disks have all that was written: one call for many files. */
export function syncDisks(engine: Engine): void {
  const { DataType, load } = loadLibc(engine)
  load({ library: 'libc', funcName: 'sync', retType: DataType.Void, paramsType: [], paramsValue: [] })
}
