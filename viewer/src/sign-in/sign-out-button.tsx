import { Icon } from '../parts/icon.js'
import { session, signOut } from './session.js'

/** Ends the session, where there is one. */
export function SignOutButton() {
  const known = session.value
  if (!known?.isOpen || known.name === undefined) return null
  const label = `Sign out: ${known.name}`
  return (
    <button type="button" class="quiet" aria-label={label} title={label} onClick={() => void signOut()}>
      <Icon name="leave" />
    </button>
  )
}
