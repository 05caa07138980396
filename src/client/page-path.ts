/** What names a plan: its id, and which of those that share it. */
export interface PlanName {
  readonly planId: string
  readonly trace?: string | undefined
  readonly source?: string | undefined
}

/**
 * The path of a plan's page at its server, with what else the page is told. No path can hold `.` or `..`, and proxies
 * undo a slash in one.
 */
export function pagePath(
  { planId, trace, source }: PlanName,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const isBare = planId !== '.' && planId !== '..' && !/[/\\]/.test(planId)
  const search = new URLSearchParams({
    ...(isBare ? {} : { planId }),
    ...(trace !== undefined && { trace }),
    ...(source !== undefined && { source }),
    ...parameters,
  }).toString()
  return `/plans${isBare ? `/${encodeURIComponent(planId)}` : ''}${search === '' ? '' : `?${search}`}`
}
