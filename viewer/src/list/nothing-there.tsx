import { activeFilters } from './filters.js'
import { failure } from './list-store.js'
import { session } from '../sign-in/session.js'
import { SERVER } from '../url/base.js'
import { here, setParameters } from '../url/location.js'
import { CopyButton } from '../parts/copy-button.js'

/** Explains why there are no rows, and what to do. */
export function NothingThere() {
  const { searchParams } = here.value
  const active = activeFilters(searchParams)
  if (failure.value !== undefined) {
    return (
      <section class="nothing" role="alert">
        <h2>This list cannot be shown</h2>
        <p>{failure.value}</p>
        <button type="button" class="button" onClick={() => setParameters(withoutAll(active))}>
          Remove all filters
        </button>
      </section>
    )
  }
  return active.length > 0 ? <NothingFound /> : <NoPlansYet />
}

const withoutAll = (active: readonly { name: string }[]): Record<string, undefined> =>
  Object.fromEntries([...active.map(({ name }) => [name, undefined]), ['sort', undefined], ['order', undefined]])

function NothingFound() {
  const active = activeFilters(here.value.searchParams)
  return (
    <section class="nothing">
      <h2>No plan matches these filters</h2>
      <p>Remove one of them:</p>
      <ul class="active-filters">
        {[...new Map(active.map((one) => [one.name, one])).values()].map(({ name, title }) => (
          <li key={name}>
            <button type="button" onClick={() => setParameters({ [name]: undefined })}>
              <span class="muted">{title}</span> <span class="value">{here.value.searchParams.get(name)}</span>
            </button>
          </li>
        ))}
      </ul>
      {active.length > 1 && (
        <button type="button" class="button" onClick={() => setParameters(withoutAll(active))}>
          Remove all filters
        </button>
      )}
    </section>
  )
}

function NoPlansYet() {
  const needsToken = session.value?.isOpen === true && session.value.name !== undefined
  const code = exampleFor(SERVER, needsToken)
  const place = needsToken ? `PLANSPAN_TOKEN=TOKEN PLANSPAN_ENDPOINT=${SERVER} ` : ''
  const sample = `${place}npx planspan generate --plans 50${needsToken ? '' : ` --endpoint ${SERVER}`}`
  return (
    <section class="nothing">
      <h2>No plans yet</h2>
      <p>
        Plans appear here as soon as an agent sends spans. This program sends a first plan
        {needsToken && ', with a TOKEN that has the scope ingest'}:
      </p>
      <Example code={code} what="Example" />
      <p>Or explore generated sample plans:</p>
      <Example code={sample} what="Command" />
    </section>
  )
}

function Example({ code, what }: { readonly code: string; readonly what: string }) {
  return (
    <div class="example">
      <pre>{code}</pre>
      <CopyButton text={() => code} what={what} />
    </div>
  )
}

const exampleFor = (endpoint: string, needsToken: boolean): string => `import { plan, register } from '@planspan/sdk'

const endpoint = '${endpoint}'
const tracing = await register({ endpoint, serviceName: 'my-agent'${needsToken ? ", token: 'TOKEN'" : ''} })
await plan({ workflow: 'hello', title: 'A first plan' }, (p) =>
  p.agent({ name: 'greeter', request: 'Say hello.' }, (a) =>
    a.cycle((c) => c.tool({ name: 'greet' }, () => 'Hello!')),
  ),
)
await tracing.shutdown()`
