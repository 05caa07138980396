/** Adds items to a list: as arguments of `push`, those of a large list would exceed the stack. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item)
}
