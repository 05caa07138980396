import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** An empty directory that is removed after the test. Its name needs escaping in XML and in shells. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "planspan <&> 'ü' "))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}
