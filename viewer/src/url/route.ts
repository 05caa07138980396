import { computed } from '@preact/signals'
import type { PlanName } from 'planspan/client'

import { askedPlans } from '../compare/asked-plans.js'
import { here } from './location.js'

export type Route =
  | { readonly page: 'list' }
  | { readonly page: 'plan'; readonly name: PlanName }
  | { readonly page: 'compare'; readonly names: readonly PlanName[] }

/** The page that a URL shows. */
export function routeOf({ pathname, searchParams }: URL): Route {
  if (pathname === '/compare') return { page: 'compare', names: askedPlans(searchParams) }
  const [, encoded] = /^\/plans\/([^/]+)$/.exec(pathname) ?? []
  const planId = encoded === undefined ? searchParams.get('planId') : decoded(encoded)
  if (planId === null || planId === '') return { page: 'list' }
  const trace = searchParams.get('trace')
  const source = searchParams.get('source')
  const name = { planId, ...(trace !== null && { trace }), ...(source !== null && { source }) }
  return { page: 'plan', name }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const route = computed(() => routeOf(here.value))
