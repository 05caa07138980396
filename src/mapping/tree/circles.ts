/** Where parents form a circle, lets one of its nodes leave it. */
export function breakCircles<Node extends { readonly parent: Node | undefined }>(
  nodes: readonly Node[],
  leave: (node: Node) => void,
): void {
  const checked = new Set<Node>()
  for (const node of nodes) {
    const path = new Set<Node>()
    for (let at: Node | undefined = node; at && !checked.has(at); at = at.parent) {
      if (path.has(at)) {
        leave(at)
        break
      }
      path.add(at)
    }
    for (const passed of path) checked.add(passed)
  }
}
