import { type CheckLine, pagePath } from '../../client/index.js'
import { styled } from '../output/terminal.js'

/** Returns the link to a plan on the server's page, or to one of its spans. */
export const linkTo = (endpoint: string, { planId, traceId }: CheckLine, spanId?: string): string =>
  `${endpoint}${pagePath({ planId, trace: traceId }, spanId === undefined ? {} : { span: spanId })}`

/** Returns a plan with its findings as text: the plan, then for each finding its rule, what happened, and a link. */
export function findingsText(line: CheckLine, endpoint: string): string[] {
  const { planId, workflow, state, startTime, missing = 0, findings, problem } = line
  if (findings.length === 0 && !problem) return []
  const about = [workflow, state, startTime, missing > 0 && `${String(missing)} gaps in its spans`].filter(Boolean)
  return [
    `${styled('bold', planId)}${about.length > 0 ? ` (${about.join(', ')})` : ''}`,
    ...(problem ? [`  not checked  ${problem.detail}`] : []),
    ...findings.flatMap(({ rule, outcome, text, spanId }) => [
      `  ${styled(outcome === 'broken' ? 'red' : 'yellow', outcome.padEnd('undecided'.length))}  ${rule}: ${text}`,
      `             ${linkTo(endpoint, line, spanId)}`,
    ]),
  ]
}
