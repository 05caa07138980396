import { useEffect, useRef, useState } from 'preact/hooks'

import { TopBar } from '../parts/top-bar.js'
import { signIn } from './session.js'

/** Requests a token if the server requires one. */
export function SignIn() {
  const input = useRef<HTMLInputElement>(null)
  const [refusal, setRefusal] = useState<string | undefined>(undefined)
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    document.title = 'Sign in · planspan'
    input.current?.focus()
  }, [])
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    setAsking(true)
    setRefusal(await signIn(input.current?.value.trim() ?? ''))
    setAsking(false)
    input.current?.select()
  }
  return (
    <>
      <TopBar />
      <main>
        <form class="nothing sign-in" onSubmit={(event) => void submit(event)}>
          <h1>Sign in</h1>
          <p id="token-hint">
            This server requires an access token with the scope read. Its operator can create a token, with the FILE of{' '}
            <code>planspan serve --tokens FILE</code>:{' '}
            <code>npx planspan token create NAME --scope read --tokens FILE</code>
          </p>
          <label for="token">Access token</label>
          <input
            id="token"
            ref={input}
            type="password"
            autocomplete="current-password"
            spellcheck={false}
            required
            aria-describedby={refusal === undefined ? 'token-hint' : 'token-refusal'}
            aria-invalid={refusal !== undefined}
          />
          {refusal !== undefined && (
            <p id="token-refusal" class="refusal" role="alert">
              {refusal}
            </p>
          )}
          <button type="submit" class="button" disabled={isAsking}>
            Sign in
          </button>
        </form>
      </main>
    </>
  )
}
