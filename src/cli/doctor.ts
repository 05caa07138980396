import { PlanspanError } from '../error.js'
import type { Readiness } from '../server/index.js'
import { defineCommand } from './command.js'
import { checkMachine } from './doctor-machine.js'
import { checkServer } from './doctor-server.js'
import { EXIT } from './exit-code.js'
import type { Finding } from './finding.js'
import { endpointOption, resolveEndpoint } from './options.js'
import { createRecordsClient } from './records-client.js'
import { print, styled } from './terminal.js'

const LEVELS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

/** `planspan doctor`: this machine, the server and its store. */
export const command = defineCommand({
  options: endpointOption,
  async run({ options }) {
    const endpoint = resolveEndpoint(options.endpoint)
    const findings = checkMachine()
    for (const finding of findings) show(finding)
    const before = Date.now()
    let readiness: Readiness
    try {
      readiness = await createRecordsClient(endpoint).readiness()
    } catch (error) {
      if (!(error instanceof PlanspanError)) throw error
      show({ level: 'fail', text: error.message })
      return EXIT.unreachable
    }
    const serverFindings = checkServer(endpoint, readiness, { before, after: Date.now() })
    for (const finding of serverFindings) show(finding)
    return [...findings, ...serverFindings].some(({ level }) => level === 'fail') ? EXIT.unreachable : EXIT.done
  },
})

const show = ({ level, text }: Finding): void => print(`${styled(LEVELS[level], level.padEnd(4))}  ${text}`)
