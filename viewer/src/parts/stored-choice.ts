import { effect, signal, type Signal } from '@preact/signals'

/** A choice of the reader's among some words, which this browser remembers; the first unless chosen. */
export function storedChoice<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Signal<Word> {
  const key = `planspan.${name}`
  const stored = read(key)
  const choice = signal(words.find((word) => word === stored) ?? words[0])
  effect(() => {
    try {
      localStorage.setItem(key, choice.value)
    } catch {
      // A browser may keep nothing.
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
