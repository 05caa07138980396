import { computed } from '@preact/signals'

import { here } from './location.js'

/** What names a plan: its id, and which of those that share it. */
export interface PlanName {
  readonly planId: string
  readonly trace?: string
  readonly source?: string
}

export type Route = { readonly page: 'list' } | { readonly page: 'plan'; readonly name: PlanName }

/** The page that a URL shows. */
export function routeOf({ pathname, searchParams }: URL): Route {
  const [, encoded] = /^\/plans\/([^/]+)$/.exec(pathname) ?? []
  const planId = encoded === undefined ? searchParams.get('planId') : decoded(encoded)
  if (planId === null || planId === '') return { page: 'list' }
  const trace = searchParams.get('trace')
  const source = searchParams.get('source')
  const name = { planId, ...(trace !== null && { trace }), ...(source !== null && { source }) }
  return { page: 'plan', name }
}

/** The path of a plan. No path can hold `.` or `..`, and proxies undo a slash in one. */
export function planPath({ planId, ...place }: PlanName, parameters: Readonly<Record<string, string>> = {}): string {
  const isBare = planId !== '.' && planId !== '..' && !/[/\\]/.test(planId)
  const search = new URLSearchParams({ ...(isBare ? {} : { planId }), ...place, ...parameters }).toString()
  return `/plans${isBare ? `/${encodeURIComponent(planId)}` : ''}${search === '' ? '' : `?${search}`}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const route = computed(() => routeOf(here.value))
