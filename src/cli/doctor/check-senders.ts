import type { Upkeep } from '../../server/index.js'
import { formatDuration, plural } from '../output/text-layout.js'
import { type Finding, ok, warn } from './finding.js'

/** Checks the senders of the last day's spans for clocks that are ahead and for dropped values. */
export function checkSenders(senders: Upkeep['senders']): Finding[] {
  const findings = senders.flatMap(({ service, aheadMs, incomplete, dropped }) => [
    ...(aheadMs > 0
      ? [
          warn(
            `Spans of the service ${service} end ${formatDuration(aheadMs)} in the future: its clock is ahead. Synchronize it ` +
              '(NTP); otherwise its plans appear in the wrong order and seem to overlap.',
          ),
        ]
      : []),
    ...(incomplete > 0
      ? [
          warn(
            `${plural(incomplete, 'span')} of the service ${service} lack ${plural(dropped, 'value')} that could not be ` +
              `sent, so their records are partial. \`planspan export --verdict partial\` lists them, and the agent's standard ` +
              'error contains the reasons.',
          ),
        ]
      : []),
  ])
  return findings.length > 0 ? findings : [ok('No span of the last day ends in the future or lacks values')]
}
