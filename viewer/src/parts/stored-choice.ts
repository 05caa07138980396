import { effect, signal, type Signal } from '@preact/signals'

/** A choice among some words, stored in the browser. @default the first word */
export function storedChoice<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Signal<Word> {
  const key = `planspan.${name}`
  const stored = read(key)
  const choice = signal(words.find((word) => word === stored) ?? words[0])
  effect(() => {
    try {
      localStorage.setItem(key, choice.value)
    } catch {
      // The browser may not allow storage.
    }
  })
  return choice
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
