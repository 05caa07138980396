import type { TestProject } from 'vitest/node'

import { buildExamples } from '../../scripts/language-examples.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** The examples in the languages of this machine, as commands with their arguments. */
    examples: Awaited<ReturnType<typeof buildExamples>>['built']
  }
}

/** The examples in other languages, built if they are not yet. */
export default async function setup(project: TestProject): Promise<void> {
  const { built } = await buildExamples()
  project.provide('examples', built)
}
