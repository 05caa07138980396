import type { TestProject } from 'vitest/node'

import { buildExamples } from '../../scripts/language-examples.mjs'
import { pythonModels } from '../../scripts/python-models.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** The examples in the languages of this machine, as commands with arguments. */
    examples: Awaited<ReturnType<typeof buildExamples>>['built']
    /** The command that runs other projects' models, if this machine has a Python for them. */
    models: readonly string[] | undefined
  }
}

/** Builds the examples in other languages and the other projects' models if they are missing. */
export default async function setup(project: TestProject): Promise<void> {
  const { built } = await buildExamples()
  project.provide('examples', built)
  const models = await pythonModels()
  project.provide('models', 'command' in models ? models.command : undefined)
}
