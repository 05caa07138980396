import { computed, signal } from '@preact/signals'

import { linkTo, pathIn } from './base.js'

const href = signal(location.href)

/** The current URL, as if the page were at its server's root. */
export const here = computed(() => {
  const url = new URL(href.value)
  url.pathname = pathIn(url.pathname) ?? '/'
  return url
})

export interface GoOptions {
  /** Whether to replace the history entry. */
  readonly replace?: boolean
}

/** Navigates to a path of the page, with its query. */
export function go(to: string, { replace = false }: GoOptions = {}): void {
  const address = linkTo(to)
  if (replace) history.replaceState(history.state, '', address)
  else history.pushState(undefined, '', address)
  href.value = location.href
}

/** Sets query parameters of the current URL, and removes undefined or empty ones. */
export const setParameters = (
  parameters: Readonly<Record<string, string | undefined>>,
  options: GoOptions = {},
): void => go(withParameters(parameters), options)

/** Returns the current URL with other parameters. */
export function withParameters(parameters: Readonly<Record<string, string | undefined>>): string {
  const { pathname, searchParams } = new URL(here.value)
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === '') searchParams.delete(name)
    else searchParams.set(name, value)
  }
  const search = searchParams.toString()
  return `${pathname}${search === '' ? '' : `?${search}`}`
}

/** Handles the browser's back button, and links within the page, without loading it again. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    href.value = location.href
  })
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return
    const path = pathIn(link.pathname)
    if (path === undefined || !/^\/(?:plans(?:\/|$)|compare$|$)/.test(path)) return
    event.preventDefault()
    if (link.href !== location.href) go(`${path}${link.search}`)
  })
}
