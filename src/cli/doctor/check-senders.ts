import type { Upkeep } from '../../server/index.js'
import type { Finding } from './doctor.js'
import { formatDuration, plural } from '../output/text-layout.js'

/** Checks what the spans of the last day tell of their senders: clocks that are ahead, and values that were dropped. */
export function checkSenders(senders: Upkeep['senders']): Finding[] {
  const findings = senders.flatMap(({ service, aheadMs, incomplete, dropped }): Finding[] => [
    ...(aheadMs > 0
      ? [
          {
            level: 'warn' as const,
            text:
              `Spans of the service ${service} end ${formatDuration(aheadMs)} from now: its clock is ahead. Synchronise it ` +
              '(NTP), or its plans stand in the wrong order and seem to overlap.',
          },
        ]
      : []),
    ...(incomplete > 0
      ? [
          {
            level: 'warn' as const,
            text:
              `${plural(incomplete, 'span')} of the service ${service} lack ${plural(dropped, 'value')} that could not be ` +
              `sent: their records are partial. \`planspan export --verdict partial\` has them, and what the agent's ` +
              'process wrote to its standard error says why.',
          },
        ]
      : []),
  ])
  return findings.length > 0
    ? findings
    : [{ level: 'ok', text: 'No span of the last day ends later than now, or lacks values' }]
}
