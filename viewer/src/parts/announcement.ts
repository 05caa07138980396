import { signal } from '@preact/signals'

/** The last message, visible and announced to screen readers. */
export const announcement = signal('')
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a message for 2.5 seconds. */
export function announce(text: string): void {
  announcement.value = text
  clearTimeout(timer)
  timer = setTimeout(() => {
    announcement.value = ''
  }, 2_500)
}
