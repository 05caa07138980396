import { useEffect, useRef } from 'preact/hooks'
import { signal } from '@preact/signals'

import { IconButton } from '../parts/icon.js'
import { bindKeys, boundKeys } from './keys.js'

const isOpen = signal(false)

/** Shows the key help. */
export const showKeys = (): void => {
  isOpen.value = true
}

/** The dialog with the current keys, opened by `?`. */
export function KeyHelp() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => bindKeys([{ keys: ['?'], shown: '?', does: 'Show these keys', run: showKeys }]), [])
  useEffect(() => {
    if (isOpen.value) dialog.current?.showModal()
  }, [isOpen.value])
  const close = (): void => dialog.current?.close()
  return (
    <dialog ref={dialog} class="key-help" aria-labelledby="key-help" onClose={() => (isOpen.value = false)}>
      {isOpen.value && (
        <>
          <header>
            <h2 id="key-help">Keys</h2>
            <IconButton icon="close" label="Close" onClick={close} />
          </header>
          <dl>
            {boundKeys().map(({ shown, does }) => (
              <div key={shown}>
                <dt>
                  {shown.split(' ').map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </dialog>
  )
}
