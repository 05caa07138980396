import { isSameRow, type Row } from './row.js'
import { byStart, endOf, type Growing, isAbove, leafOf, sumUp, type Tree, treeOf, withDepths } from './tree.js'

/**
 * Adds new and changed rows to a tree; the result equals a tree of all rows, at a cost proportional to these rows and
 * their ancestors. A node is a new object if it or a descendant has changed. The given tree must not be used
 * afterwards; it is returned if nothing has changed.
 */
export function grown(tree: Tree, rows: readonly Row[]): Tree {
  const growth = new Growth(tree)
  return rows.every((row) => growth.put(row)) ? growth.tree() : anew(tree, rows)
}

function anew({ nodes }: Tree, news: readonly Row[]): Tree {
  const rows = new Map([...nodes].map(([id, { row }]) => [id, row]))
  for (const row of news) rows.set(row.id, row)
  return treeOf(rows)
}

class Growth {
  readonly #before: Tree
  readonly #nodes: Map<string, Growing>
  readonly #roots: Growing[]
  /** Roots by their missing parents. */
  readonly #orphans = new Map<string, Growing[]>()
  readonly #touched = new Set<Growing>()
  #start: number

  constructor(tree: Tree) {
    this.#before = tree
    this.#nodes = tree.nodes as Map<string, Growing>
    this.#roots = tree.roots as Growing[]
    this.#start = tree.nodes.size === 0 ? Number.POSITIVE_INFINITY : tree.start
    for (const root of this.#roots) this.#addOrphan(root)
  }

  /** Inserts a row; returns false if all rows must be laid out again. */
  put(row: Row): boolean {
    const node = this.#nodes.get(row.id)
    if (node && isSameRow(node.row, row)) return true
    if (this.#before.isKnotted) return false
    if (!node) {
      const made = leafOf(row)
      this.#nodes.set(row.id, made)
      return this.#attach(made) && this.#adopt(row.id)
    }
    const { parent, start } = node.row
    if (row.parent === parent && row.start === start) {
      node.row = row
      this.#touched.add(node)
      return true
    }
    // Then the earliest start cannot be determined.
    if (start === this.#start && row.start > start) return false
    this.#detach(node)
    node.row = row
    return this.#attach(node)
  }

  /** Returns the tree with all inserted rows. */
  tree(): Tree {
    if (this.#touched.size === 0) return this.#before
    const changed = new Set(this.#touched)
    // Iterating over a set includes items that are added meanwhile.
    for (const { parent } of changed) if (parent) changed.add(parent)
    for (const node of [...changed].toSorted((a, b) => b.depth - a.depth)) this.#renew(node)
    const roots = this.#current(this.#roots)
    return { roots, nodes: this.#nodes, start: this.#start, end: endOf(roots), isKnotted: false }
  }

  #attach(node: Growing): boolean {
    const { row } = node
    const parent = row.parent === null ? undefined : this.#nodes.get(row.parent)
    if (parent && isAbove(node, parent)) return false
    node.parent = parent
    node.depth = parent ? parent.depth + 1 : 0
    insert(parent?.children ?? this.#roots, node)
    if (!parent) this.#addOrphan(node)
    for (const moved of withDepths([node])) this.#touched.add(moved)
    this.#start = Math.min(this.#start, row.start)
    return true
  }

  #detach(node: Growing): void {
    const { parent } = node
    const siblings = parent?.children ?? this.#roots
    siblings.splice(siblings.indexOf(node), 1)
    if (parent) this.#touched.add(parent)
  }

  #addOrphan(root: Growing): void {
    const { parent } = root.row
    if (parent === null) return
    const others = this.#orphans.get(parent)
    if (others) others.push(root)
    else this.#orphans.set(parent, [root])
  }

  /** Moves roots that lacked a node below it. */
  #adopt(id: string): boolean {
    return (this.#orphans.get(id) ?? []).every((root) => {
      if (root.parent || root.row.parent !== id) return true
      this.#detach(root)
      return this.#attach(root)
    })
  }

  /** Replaces a node whose children are up to date. */
  #renew(node: Growing): void {
    const fresh = { ...node, children: this.#current(node.children) }
    for (const child of fresh.children) child.parent = fresh
    sumUp(fresh)
    this.#nodes.set(node.row.id, fresh)
  }

  #current(nodes: readonly Growing[]): Growing[] {
    return nodes.map((node) => this.#nodes.get(node.row.id) ?? node)
  }
}

/** Inserts a node among its siblings, usually at the end. */
function insert(siblings: Growing[], node: Growing): void {
  const before = siblings.findLastIndex(({ row }) => byStart(row, node.row) < 0)
  siblings.splice(before + 1, 0, node)
}
