import { signal } from '@preact/signals'

import { SERVER } from '../url/base.js'

/** The session of the page. */
export type Session =
  /** The server requires a token, and the page has no valid one. */
  | { readonly isOpen: false }
  /** The server requires no token, or has accepted the token with this name. */
  | { readonly isOpen: true; readonly name: string | undefined }

/** Undefined until the server has responded. */
export const session = signal<Session | undefined>(undefined)

const PATH = `${SERVER}/api/session`

/** Requests the session from the server. If the server does not respond, the page itself reports it. */
export async function loadSession(): Promise<void> {
  try {
    const response = await fetch(PATH)
    if (response.status === 401) return endSession()
    const { token } = (await response.json()) as { readonly token?: { readonly name: string } | null }
    session.value = { isOpen: true, name: token?.name }
  } catch {
    session.value = { isOpen: true, name: undefined }
  }
}

/** Signs in with a token. Returns the server's reason for rejecting it; undefined on success. */
export async function signIn(token: string): Promise<string | undefined> {
  try {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(PATH, { method: 'POST', headers, body: JSON.stringify({ token }) })
    if (!response.ok) return ((await response.json()) as { readonly detail: string }).detail
  } catch {
    return `${location.host} does not respond. Try again.`
  }
  await loadSession()
  return undefined
}

/** Signs out, and drops the loaded data. */
export async function signOut(): Promise<void> {
  await fetch(PATH, { method: 'DELETE' })
  location.reload()
}

/** Called when the server has rejected the page's credentials. */
export const endSession = (): void => void (session.value = { isOpen: false })
