import type { RouteName } from '../wire/index.js'
import { recordSegment } from '../wire/record-path/index.js'
import type { Asked } from './transport.js'

/** The id of a plan, else of an agent's step, or one that is a step's alone. */
export type RecordId = string | { readonly stepId: string }

/** A declared route of a record. */
export type RecordRoute = Extract<RouteName, `${string} /api/records/{id}${string}`>

/** Returns the path of a declared route with its parameters, which are percent-encoded. */
export const pathOf = (route: RouteName, parameters: Readonly<Record<string, string>> = {}): string =>
  route.slice(route.indexOf(' ') + 1).replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '')

/** Returns the path of a record's route, and the request that names the record. */
export function recordRequest(
  route: RecordRoute,
  id: RecordId,
  { query = {}, ...asked }: Asked,
  parameters: Readonly<Record<string, string>> = {},
): [path: string, asked: Asked] {
  const isStep = typeof id !== 'string'
  const path = pathOf(route, { ...parameters, id: recordSegment(isStep ? id.stepId : id) })
  return [path, { ...asked, query: isStep ? { ...query, kind: 'step' } : query }]
}

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
