/** Gathers what comes and hands it on at once, before the next frame is drawn; soon in a tab that is not seen. */
export function eachFrame<T>(take: (gathered: readonly T[]) => void): (one: T) => void {
  let gathered: T[] = []
  const flush = (): void => {
    const all = gathered
    gathered = []
    take(all)
  }
  return (one) => {
    gathered.push(one)
    if (gathered.length > 1) return
    if (document.hidden) setTimeout(flush, 100)
    else requestAnimationFrame(flush)
  }
}
