import { useEffect } from 'preact/hooks'

import { linkTo } from '../url/base.js'
import { here } from '../url/location.js'
import { TopBar } from './top-bar.js'

/** Reports a path without a page. */
export function UnknownPage() {
  useEffect(() => {
    document.title = 'No such page · planspan'
  }, [])
  return (
    <>
      <TopBar />
      <main>
        <section class="nothing">
          <h1>There is no such page</h1>
          <p>
            Nothing is at <code>{here.value.pathname}</code>.
          </p>
          <p>
            <a class="button" href={linkTo('/plans')}>
              All plans
            </a>
          </p>
        </section>
      </main>
    </>
  )
}
