/** Batches items until the next frame, or for a short time in a hidden tab. */
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
