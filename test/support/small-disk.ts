import { spawnSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

import { temporaryDirectory } from '../clickhouse/temporary-directory.js'

const MEGABYTES = 128

/** An in-memory file system for a test; undefined if this user may not mount one. */
export function smallDisk(): string | undefined {
  const path = temporaryDirectory()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m`, 'tmpfs', path])
  if (mounted.status !== 0) return undefined
  onTestFinished(() => {
    spawnSync('umount', ['--lazy', path])
  })
  return path
}

/** Fills the disk except for the given number of bytes; returns a function that frees the space. */
export function fill(disk: string, left = 64 << 10): () => void {
  const ballast = join(disk, 'ballast')
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - left)))
  return () => rmSync(ballast)
}

/** The reason for skipping tests that need a small disk. */
export const NO_SMALL_DISK = 'It needs a small file system, which only root may mount.'
