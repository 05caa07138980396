import { rulesJsonSchema } from '../../check/index.js'
import type { CheckLine } from '../../client/index.js'
import { PlanspanError } from '../../error.js'
import { defineCommand } from '../command.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { filtersOf, planFilters } from '../filter-options.js'
import { note, print } from '../output/terminal.js'
import { connect } from '../server/connect.js'
import { serverOptions } from '../server/resolve-server.js'
import { abortedByStop } from '../stop-signal.js'
import { findingsText, linkTo } from './findings-text.js'
import { openJunitFile } from './junit-file.js'
import { readRulesFile } from './read-rules.js'

/** `planspan check`: checks stored plans by rules. */
export const command = defineCommand({
  argument: {
    name: 'RULES ID',
    isVariadic: true,
    description: 'A YAML file of rules, and the ids of the plans to check. Omit ids to check the plans of a list',
  },
  examples: [
    'planspan check rules.yaml --since 24h --workflow refunds',
    'planspan check rules.yaml plan-77 plan-78 --junit check.xml',
    'planspan check --schema > rules.schema.json',
  ],
  options: {
    ...planFilters,
    strict: {
      type: 'boolean',
      description: 'Undecided rules count as broken, for example if arguments were not recorded',
    },
    junit: { type: 'string', valueHint: 'FILE', description: 'Also write a JUnit report for CI' },
    json: { type: 'boolean', description: 'Print a line of JSON per plan, including plans that break no rule' },
    schema: { type: 'boolean', description: 'Print the JSON Schema of files of rules' },
    ...serverOptions,
  },
  async run({ options, args: [file, ...ids] }) {
    if (options.schema) {
      print(JSON.stringify(rulesJsonSchema(), undefined, 2))
      return EXIT.done
    }
    if (file === undefined) throw new PlanspanError('usage', 'Name a file of rules: planspan check rules.yaml.')
    const rules = await readRulesFile(file)
    const { client, server } = await connect(options)
    const { endpoint } = server
    const { strict = false, json = false } = options
    const report = options.junit === undefined ? undefined : await openJunitFile(options.junit, { endpoint, strict })
    const totals = new Totals(strict)
    try {
      await abortedByStop(async (signal) => {
        const body = { rules: [...rules], ...(ids.length > 0 && { ids }) }
        for await (const line of client.check(body, filtersOf(options), { signal })) {
          totals.add(line)
          await report?.write(line)
          for (const text of json ? [withUrls(line, endpoint)] : findingsText(line, endpoint)) print(text)
        }
      })
      await report?.finish()
    } catch (error) {
      await report?.discard()
      throw error
    }
    note(totals.summary(rules.length))
    return totals.exitCode()
  },
})

/** Counts plans and findings. */
class Totals {
  readonly #strict: boolean
  readonly #broken = new Set<string>()
  #plans = 0
  #brokenPlans = 0
  #undecided = 0
  #problems = 0

  constructor(strict: boolean) {
    this.#strict = strict
  }

  add({ findings, problem }: CheckLine): void {
    const broken = findings.filter(({ outcome }) => this.#strict || outcome === 'broken')
    this.#plans++
    if (broken.length > 0) this.#brokenPlans++
    if (problem) this.#problems++
    this.#undecided += findings.length - broken.length
    for (const { rule } of broken) this.#broken.add(rule)
  }

  summary(rules: number): string {
    if (this.#plans === 0) return 'No plan matches.'
    const parts = [
      `${this.#brokenPlans} of ${this.#plans} plans break ${this.#broken.size} of ${rules} rules.`,
      this.#undecided > 0 ? `Undecided findings: ${this.#undecided}.` : '',
      this.#problems > 0 ? `Plans that could not be checked: ${this.#problems}.` : '',
    ]
    return parts.filter(Boolean).join(' ')
  }

  exitCode(): ExitCode {
    return this.#plans === 0 || this.#brokenPlans > 0 || this.#problems > 0 ? EXIT.different : EXIT.done
  }
}

const withUrls = (line: CheckLine, endpoint: string): string =>
  JSON.stringify({
    ...line,
    url: linkTo(endpoint, line),
    findings: line.findings.map((finding) => ({ ...finding, url: linkTo(endpoint, line, finding.spanId) })),
  })
