import { recordSegment } from '../wire/record-path/index.js'

/** The name of a plan: its id, and which of the records that share it. */
export interface PlanName {
  readonly planId: string
  readonly trace?: string | undefined
  readonly source?: string | undefined
}

/** Returns the path of a plan's page on its server, with further parameters of the page. */
export function pagePath(
  { planId, trace, source }: PlanName,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const search = new URLSearchParams({
    ...(trace !== undefined && { trace }),
    ...(source !== undefined && { source }),
    ...parameters,
  }).toString()
  return `/plans/${recordSegment(planId)}${search === '' ? '' : `?${search}`}`
}
