import type { PlanJson } from '../../client/index.js'
import { formatDuration, oneLine } from './text-layout.js'

/** Formats the headline of a plan in one line: its remarks, with how long a wait or an activity has lasted. */
export const headlineText = (plan: PlanJson | undefined, now = Date.now()): string =>
  (plan?.headline ?? [])
    .map(({ text, since }) => oneLine(text) + (since === null ? '' : ` for ${formatDuration(now - Date.parse(since))}`))
    .join('; ')
