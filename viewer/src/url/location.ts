import { computed, signal } from '@preact/signals'

const href = signal(location.href)

/** Where the page is. */
export const here = computed(() => new URL(href.value))

export interface GoOptions {
  /** Whether the place left is not to be gone back to. */
  readonly replace?: boolean
}

/** Goes to a path of the page, with its query. */
export function go(to: string, { replace = false }: GoOptions = {}): void {
  if (replace) history.replaceState(history.state, '', to)
  else history.pushState(undefined, '', to)
  href.value = location.href
}

/** Sets parameters of the query here, and takes away those that are undefined or empty. */
export const setParameters = (
  parameters: Readonly<Record<string, string | undefined>>,
  options: GoOptions = {},
): void => go(withParameters(parameters), options)

/** The place here with other parameters. */
export function withParameters(parameters: Readonly<Record<string, string | undefined>>): string {
  const { pathname, searchParams } = new URL(href.peek())
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === '') searchParams.delete(name)
    else searchParams.set(name, value)
  }
  const search = searchParams.toString()
  return `${pathname}${search === '' ? '' : `?${search}`}`
}

/** Follows the browser's way back, and links within the page without loading it anew. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    href.value = location.href
  })
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return
    if (!/^\/(?:plans(?:\/|$)|compare$|$)/.test(link.pathname)) return
    event.preventDefault()
    if (link.href !== location.href) go(`${link.pathname}${link.search}`)
  })
}
