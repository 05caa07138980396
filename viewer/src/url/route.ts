import { computed } from '@preact/signals'
import type { PlanName } from 'planspan/client'
import { recordIdOf } from 'planspan/record-path'

import { plansOfComparison } from '../compare/compare-path.js'
import { here } from './location.js'

export type Route =
  | { readonly page: 'list' }
  | { readonly page: 'unknown' }
  | { readonly page: 'plan'; readonly name: PlanName }
  | { readonly page: 'compare'; readonly names: readonly PlanName[] }

/** Returns the page of a URL. */
export function routeOf({ pathname, searchParams }: URL): Route {
  if (pathname === '/compare') return { page: 'compare', names: plansOfComparison(searchParams) }
  const [, segment] = /^\/plans\/([^/]+)$/.exec(pathname) ?? []
  const planId = segment && recordIdOf(decoded(segment))
  if (planId === undefined) return { page: /^\/(?:plans\/?)?$/.test(pathname) ? 'list' : 'unknown' }
  const trace = searchParams.get('trace')
  const source = searchParams.get('source')
  const name = { planId, ...(trace !== null && { trace }), ...(source !== null && { source }) }
  return { page: 'plan', name }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export const route = computed(() => routeOf(here.value))
