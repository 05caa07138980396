import { IconButton } from '../parts/icon.js'
import { session, signOut } from './session.js'

/** Ends the session, if there is one. */
export function SignOutButton() {
  const known = session.value
  if (!known?.isOpen || known.name === undefined) return null
  const label = `Sign out: ${known.name}`
  return <IconButton icon="leave" label={label} onClick={() => void signOut()} />
}
