import { signal } from '@preact/signals'

import { Menu } from '../parts/menu.js'
import { linkTo } from '../url/base.js'
import { here, setParameters } from '../url/location.js'

const KEY = 'planspan.views'

/** The saved views: queries by name. */
const views = signal<Readonly<Record<string, string>>>(stored())

function stored(): Record<string, string> {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {}) as Record<string, string>
  } catch {
    return {}
  }
}

function keep(next: Readonly<Record<string, string>>): void {
  views.value = next
  try {
    localStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // The browser may not allow storage.
  }
}

/** The saved views of the list. The URL names the current one. */
export function ViewMenu() {
  const current = here.value.searchParams.get('view')
  const save = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const name = String(new FormData(form).get('name') ?? '').trim()
    if (name === '') return
    setParameters({ view: name }, { replace: true })
    keep({ ...views.peek(), [name]: here.peek().search })
    form.reset()
  }
  const forget = (name: string): void => {
    const { [name]: _, ...others } = views.peek()
    keep(others)
  }
  return (
    <Menu label={current ?? 'Views'}>
      <div onClick={(event) => event.stopPropagation()}>
        <ul>
          {Object.entries(views.value).map(([name, query]) => (
            <li key={name}>
              <a class="value" href={linkTo(`/plans${query}`)} aria-current={name === current ? 'page' : undefined}>
                {name}
              </a>
              <button type="button" class="quiet" aria-label={`Forget the view ${name}`} onClick={() => forget(name)}>
                ✕
              </button>
            </li>
          ))}
        </ul>
        <form class="save-view" onSubmit={save}>
          <input name="name" class="button" aria-label="Name of this view" placeholder="Name of this view" required />
          <button type="submit" class="button">
            Save
          </button>
        </form>
      </div>
    </Menu>
  )
}
