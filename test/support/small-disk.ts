import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { onTestFinished } from 'vitest'

import { temporaryDirectory } from '../clickhouse/temporary-directory.js'

const MEGABYTES = 128

/** An in-memory file system for a test; undefined if this user may not mount one. */
export function smallDisk(megabytes = MEGABYTES): string | undefined {
  const path = temporaryDirectory()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path])
  if (mounted.status !== 0) return undefined
  onTestFinished(() => {
    spawnSync('umount', ['--lazy', path])
  })
  return path
}

/** An in-memory file system for programs that a test starts. */
export interface ProgramDisk {
  /** The path for the programs. */
  readonly path: string
  /** The path for the test. */
  readonly seenAt: string
  /** The command that runs a program with this file system. */
  readonly enter: readonly string[]
}

/** The same for programs. Users who may not mount a file system get one in a user namespace, where that is possible. */
export async function programDisk(megabytes = MEGABYTES): Promise<ProgramDisk | undefined> {
  const mounted = smallDisk(megabytes)
  if (mounted !== undefined) return { path: mounted, seenAt: mounted, enter: [] }
  const path = mkdtempSync(join(tmpdir(), 'planspan-disk-'))
  const script = `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && echo mounted && exec sleep infinity`
  const holder = spawn('unshare', ['-Urm', 'sh', '-c', script, path], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => {
    holder.kill('SIGKILL')
    rmSync(path, { recursive: true, force: true })
  })
  holder.on('error', () => {})
  const isMounted = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    once(holder, 'close').then(() => false),
  ])
  if (!isMounted) return undefined
  const target = String(holder.pid)
  return {
    path,
    seenAt: `/proc/${target}/root${path}`,
    enter: ['nsenter', '--target', target, '--user', '--mount', '--preserve-credentials', '--'],
  }
}

const PIECE = Buffer.alloc(1 << 20)

/** Fills the disk except for the given number of bytes; returns a function that frees the space. */
export function fill(disk: string, left = 64 << 10): () => void {
  const ballast = join(disk, 'ballast')
  const file = openSync(ballast, 'a')
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(disk)
      const missing = Math.min(bavail * bsize - left, PIECE.length)
      if (missing <= 0) break
      // Other programs may fill the disk meanwhile.
      writeSync(file, PIECE, 0, missing)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
  return () => rmSync(ballast)
}

/** The reason for skipping tests that need a small disk. With CI=true, they fail instead. */
export const NO_SMALL_DISK =
  'It needs a small file system, and this user may neither mount one nor create a user namespace.'

/** Skips a test that needs a small disk where there is none. */
export function skipWithoutDisk(skip: (reason: string) => never): never {
  if (process.env['CI'] === 'true') throw new Error(NO_SMALL_DISK)
  return skip(NO_SMALL_DISK)
}
