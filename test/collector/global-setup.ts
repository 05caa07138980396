import type { TestProject } from 'vitest/node'

import { buildGoBinary, goBinaries } from '../../scripts/go-binaries.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory of the Go programs that the tests run. */
    goBinaries: Record<(typeof goBinaries)[number], string>
  }
}

/** The Go programs, built if they are missing. */
export default async function setup(project: TestProject): Promise<void> {
  const paths: Partial<Record<(typeof goBinaries)[number], string>> = {}
  for (const name of goBinaries) paths[name] = await buildGoBinary(name)
  project.provide('goBinaries', paths as Record<(typeof goBinaries)[number], string>)
}
