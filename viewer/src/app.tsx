import { useEffect } from 'preact/hooks'

import { ComparePage } from './compare/load-compare.js'
import { KeyHelp } from './keys/key-help.js'
import { ListPage } from './list/list-page.js'
import { announcement } from './parts/announcement.js'
import { OutageBanner } from './parts/outage-banner.js'
import { UnknownPage } from './parts/unknown-page.js'
import { PlanPage } from './plan/plan-page.js'
import { session } from './sign-in/session.js'
import { SignIn } from './sign-in/sign-in.js'
import { go, here } from './url/location.js'
import { route } from './url/route.js'

/** The page for the current URL. */
export function App() {
  const { pathname, search } = here.value
  useEffect(() => {
    if (pathname === '/') go(`/plans${search}`, { replace: true })
  }, [pathname, search])
  return (
    <>
      <OutageBanner />
      <Shown />
      <KeyHelp />
      <div class="announcement" role="status" aria-live="polite">
        {announcement.value !== '' && <span>{announcement.value}</span>}
      </div>
    </>
  )
}

/** Shows the page until the server requires a sign-in, so that nothing waits for the session. */
function Shown() {
  const shown = route.value
  if (session.value?.isOpen === false) return <SignIn />
  switch (shown.page) {
    case 'list':
      return <ListPage />
    case 'plan':
      return <PlanPage key={JSON.stringify(shown.name)} name={shown.name} />
    case 'unknown':
      return <UnknownPage />
    case 'compare':
      return <ComparePage key={JSON.stringify(shown.names)} names={shown.names} />
  }
}
