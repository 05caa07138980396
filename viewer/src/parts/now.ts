import { signal } from '@preact/signals'

/** The current time, updated once a second, milliseconds since the Unix epoch. */
export const now = signal(Date.now())

setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, 1000)
document.addEventListener('visibilitychange', () => {
  now.value = Date.now()
})
