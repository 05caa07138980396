import { type FileHandle, open, rename, rm } from 'node:fs/promises'

import type { CheckLine } from '../../client/index.js'
import { PlanspanError } from '../../error.js'
import { linkTo } from './findings-text.js'

/** A report for CI: a test suite per plan, and a test case per rule that is for the plan. */
export interface JunitFile {
  write(line: CheckLine): Promise<void>
  /** Completes the report and names it. */
  finish(): Promise<void>
  discard(): Promise<void>
}

export interface JunitOptions {
  readonly endpoint: string
  /** Whether undecided rules fail. Otherwise they are skipped. */
  readonly strict: boolean
}

/** Opens a report, which is named `NAME.part` until it is complete. Throws `usage` if it cannot be written. */
export async function openJunitFile(path: string, options: JunitOptions): Promise<JunitFile> {
  const part = `${path}.part`
  const file: FileHandle = await open(part, 'w').catch((error: unknown) => {
    throw new PlanspanError(
      'usage',
      `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
    )
  })
  await file.appendFile('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="planspan check">\n')
  return {
    write: (line) => file.appendFile(suiteOf(line, options)),
    async finish() {
      await file.appendFile('</testsuites>\n')
      await file.close()
      await rename(part, path)
    },
    async discard() {
      await file.close()
      await rm(part, { force: true })
    },
  }
}

/** Returns the test suite of a plan. */
export function suiteOf(line: CheckLine, options: JunitOptions): string {
  const { planId, workflow = '', startTime, passed, findings, problem } = line
  const names = [...new Set(findings.map(({ rule }) => rule))]
  const results = names.map((rule) => resultOf(line, rule, options))
  const cases = [
    ...passed.map((rule) => testCase(rule, workflow, '')),
    ...names.map((rule, at) => testCase(rule, workflow, results[at] ?? '')),
    ...(problem ? [testCase('the plan is checked', workflow, element('error', problem.detail, problem.code))] : []),
  ]
  const count = (tag: string): string => String(results.filter((result) => result.startsWith(`<${tag} `)).length)
  const attributes = {
    name: planId,
    ...(startTime === undefined ? {} : { timestamp: startTime }),
    tests: String(cases.length),
    failures: count('failure'),
    skipped: count('skipped'),
    errors: problem ? '1' : '0',
  }
  return `<testsuite${attributeText(attributes)}>\n${cases.join('')}</testsuite>\n`
}

function resultOf(line: CheckLine, rule: string, { endpoint, strict }: JunitOptions): string {
  const all = line.findings.filter((finding) => finding.rule === rule)
  const broken = strict ? all : all.filter(({ outcome }) => outcome === 'broken')
  const shown = broken.length > 0 ? broken : all
  const body = shown.map(({ text, spanId }) => `${text}\n${linkTo(endpoint, line, spanId)}`).join('\n')
  return element(broken.length > 0 ? 'failure' : 'skipped', shown[0]?.text ?? '', body)
}

const testCase = (name: string, classname: string, result: string): string =>
  `<testcase${attributeText({ classname: classname || 'plan', name })}>${result}</testcase>\n`

const element = (tag: string, message: string, body: string): string =>
  `<${tag}${attributeText({ message })}>${escaped(body)}</${tag}>`

const attributeText = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** Escapes text for XML 1.0, which has no form for most control characters and for lone surrogates. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\0-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll(/[&<>"\n]/g, (character) => ENTITIES[character] ?? '')
