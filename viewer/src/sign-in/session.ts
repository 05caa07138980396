import { signal } from '@preact/signals'

import { SERVER } from '../url/base.js'

/** By what the server lets the page in. */
export type Session =
  /** It asks for a token, and the page has none that is still good. */
  | { readonly isOpen: false }
  /** It is open to all, or knows the token of this name. */
  | { readonly isOpen: true; readonly name: string | undefined }

/** Undefined until the server has told. */
export const session = signal<Session | undefined>(undefined)

const PATH = `${SERVER}/api/session`

/** Asks the server by what it lets the page in. Where it does not answer, the page itself says so. */
export async function askSession(): Promise<void> {
  try {
    const response = await fetch(PATH)
    if (response.status === 401) return noLonger()
    const { token } = (await response.json()) as { readonly token?: { readonly name: string } | null }
    session.value = { isOpen: true, name: token?.name }
  } catch {
    session.value = { isOpen: true, name: undefined }
  }
}

/** Signs in with a token. Returns why not, in the server's words; undefined where it is done. */
export async function signIn(token: string): Promise<string | undefined> {
  try {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(PATH, { method: 'POST', headers, body: JSON.stringify({ token }) })
    if (!response.ok) return ((await response.json()) as { readonly detail: string }).detail
  } catch {
    return `${location.host} does not answer. Try again.`
  }
  await askSession()
  return undefined
}

/** Signs out, and forgets what was read. */
export async function signOut(): Promise<void> {
  await fetch(PATH, { method: 'DELETE' })
  location.reload()
}

/** The server has refused what the page shows itself by. */
export const noLonger = (): void => void (session.value = { isOpen: false })
