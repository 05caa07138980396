// Models of others for what planspan writes, in Python, ready to be asked.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { answerOf, buildOnce, runStep } from './build-cache.mjs'

const models = fileURLToPath(new URL('../test/languages/models', import.meta.url))

const MIN_VERSION =
  'import ensurepip, sys, venv; assert sys.version_info >= (3, 11); print(sys.executable, sys.version)'

/**
 * Installs the models if they are missing. Returns the command that runs them, or the reason why they cannot be
 * installed.
 *
 * @returns {Promise<{ command: string[] } | { missing: string }>}
 */
export async function pythonModels() {
  const answer = answerOf(['python3', '-c', MIN_VERSION])
  if (answer === undefined) {
    return {
      missing:
        'the models of others in Python were not asked. There is no Python 3.11 or newer on this machine, or it lacks ' +
        '`venv`. Install it, see that `python3 -m venv --help` answers, and try again.',
    }
  }
  const requirements = join(models, 'requirements.txt')
  const venv = await buildOnce({
    name: 'python-models',
    key: [answer],
    files: [requirements],
    build: async (directory) => {
      const options = { cwd: directory, needs: 'a Python package index' }
      await runStep(['python3', '-m', 'venv', 'venv'], options)
      await runStep(['venv/bin/python', '-m', 'pip', 'install', '-r', requirements], options)
      return join(directory, 'venv')
    },
  })
  return { command: [join(venv, 'bin/python'), '-B', join(models, 'check.py')] }
}
