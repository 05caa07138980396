// The examples in other languages than JavaScript, ready to run.
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { answerOf, buildOnce, runStep } from './build-cache.mjs'
import { go, GO_ADVICE } from './go-binaries.mjs'

const examples = fileURLToPath(new URL('../examples', import.meta.url))

const PYTHON = '../../packages/python'
const PYTHON_TOOLS = '../../test/languages/python/requirements.txt'
const PACKAGED = /^(?:LICENSE|README\.md|pyproject\.toml|planspan\/[^/]+\.(?:py|typed))$/

const JAVA = /\.(?:java|xml)$/

/** The files in a language's folder, below it. @param {string} language @param {RegExp} pattern */
const filesIn = (language, pattern) =>
  readdirSync(join(examples, language), { encoding: 'utf8', recursive: true })
    .filter((file) => pattern.test(file))
    .sort()

/**
 * @typedef {object} Programs Commands with their arguments.
 * @property {readonly string[]} quickStart
 * @property {readonly string[]} longPlan
 * @property {readonly string[]} [worker] Serves the calls of examples/distributed-plan.mjs.
 * @property {readonly string[]} [interpreter] Runs programs with planspan's package.
 *
 * @typedef {object} Language
 * @property {readonly (readonly string[])[]} tools What must answer for a build; another answer is another build.
 * @property {string} advice What to do where one does not.
 * @property {readonly string[]} files What is built, below the language's folder.
 * @property {(directory: string) => Promise<string>} build
 * @property {(built: string) => Programs} programs
 */

/** @type {Record<string, Language>} */
const languages = {
  python: {
    tools: [['python3', '-c', 'import ensurepip, sys, venv; print(sys.executable, sys.version)']],
    advice:
      'There is no Python on this machine, or it lacks `venv`. Install Python 3.10 or newer, see that `python3 -m venv --help` ' +
      'answers, and try again.',
    files: [PYTHON_TOOLS, ...filesIn('../packages/python', PACKAGED).map((file) => join(PYTHON, file))],
    build: async (directory) => {
      const options = { cwd: directory, needs: 'a Python package index' }
      await runStep(['python3', '-m', 'venv', 'venv'], options)
      const install = ['-r', join(examples, 'python', PYTHON_TOOLS), join(examples, 'python', PYTHON)]
      await runStep(['venv/bin/python', '-m', 'pip', 'install', ...install], options)
      return join(directory, 'venv')
    },
    programs: (built) => {
      // -B leaves no compiled files beside the examples.
      const python = [join(built, 'bin/python'), '-B']
      return {
        quickStart: [...python, join(examples, 'python/quick_start.py')],
        longPlan: [...python, join(examples, 'python/long_plan.py')],
        worker: [...python, join(examples, 'python/distributed_worker.py')],
        interpreter: python,
      }
    },
  },
  go: {
    tools: [['go', 'version']],
    advice: GO_ADVICE,
    files: filesIn('go', /\.(?:go|mod|sum)$/),
    build: async (directory) => {
      const bin = join(directory, 'bin')
      await go(['install', './...'], { cwd: join(examples, 'go'), bin })
      return bin
    },
    programs: (built) => ({ quickStart: [join(built, 'quickstart')], longPlan: [join(built, 'longplan')] }),
  },
  java: {
    tools: [
      ['javac', '-version'],
      ['mvn', '-version'],
    ],
    advice:
      'There is no JDK or no Maven on this machine. Install Java 17 or newer and Maven, see that `javac -version` and ' +
      '`mvn -version` answer, and try again.',
    files: filesIn('java', JAVA),
    build: async (directory) => {
      for (const file of filesIn('java', JAVA)) cpSync(join(examples, 'java', file), join(directory, file))
      const goals = ['compile', 'dependency:copy-dependencies']
      await runStep(['mvn', '--batch-mode', '--strict-checksums', ...goals], {
        cwd: directory,
        needs: 'a Maven repository',
      })
      return join(directory, 'target')
    },
    programs: (built) => {
      const java = ['java', '-cp', `${join(built, 'classes')}:${join(built, 'dependency/*')}`]
      return { quickStart: [...java, 'QuickStart'], longPlan: [...java, 'LongPlan'] }
    },
  },
}

/**
 * Builds the examples of all languages that this machine has the tools for, unless they have been built before, and
 * says in words which those are that it has none for.
 *
 * @returns {Promise<{ built: [name: string, programs: Programs][], missing: string[] }>}
 */
export async function buildExamples() {
  /** @type {[name: string, programs: Programs][]} */
  const built = []
  /** @type {string[]} */
  const missing = []
  for (const [name, { tools, advice, files, build, programs }] of Object.entries(languages)) {
    const answers = tools.map(answerOf)
    if (answers.includes(undefined)) {
      missing.push(`the examples in ${name} were not run. ${advice}`)
      continue
    }
    const path = await buildOnce({
      name: `examples-${name}`,
      key: [files, answers],
      files: files.map((file) => join(examples, name, file)),
      build,
    })
    built.push([name, programs(path)])
  }
  return { built, missing }
}
