/** Appends items to a list. As arguments of `push`, the items of a large list would exceed the stack. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item)
}

/** Adds an item to the list of a key, which begins with its first item. */
export function appendTo<Key, T>(lists: Map<Key, [T, ...T[]]> | Map<Key, T[]>, key: Key, item: T): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}
