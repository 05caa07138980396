import { dirname, join, relative, resolve, sep } from 'node:path'
import { ARROWS, COMPUTING_MODULES, PACKAGES, PURE, SELF_CONTAINED } from './layers.mjs'
import { noSpreadArguments } from './spread.mjs'

/** Rules that oxlint does not have, for what CONTRIBUTING.md says. */

const MAX_COLUMNS = 120

/** The layer of a file and its path within it; undefined outside the layers. */
function placeOf(file, root) {
  const [layer, ...path] = relative(join(root, 'src'), file).split(sep)
  return layer in ARROWS && path.length > 0 ? { layer, path: path.join('/') } : undefined
}

/**
 * Holds the arrows between the layers: who may import whom, and that a layer, or a room of it, is entered through its
 * index. Generated messages stand for themselves.
 */
const layers = {
  create(context) {
    const from = placeOf(context.filename, context.cwd)
    if (!from) return {}
    const check = (node, ofTypes = false) => {
      const specifier = node?.value
      if (typeof specifier !== 'string') return
      if (SELF_CONTAINED.includes(from.layer) && !ofTypes && !specifier.startsWith('./')) {
        context.report({ node, message: `src/${from.layer} runs anywhere: import types alone of ${specifier}.` })
      }
      if (specifier.startsWith('node:')) {
        if (PURE.includes(from.layer) && !COMPUTING_MODULES.includes(specifier)) {
          context.report({ node, message: `src/${from.layer} takes data and returns data; ${specifier} does more.` })
        }
        return
      }
      const to = specifier.startsWith('.')
        ? placeOf(resolve(dirname(context.filename), specifier), context.cwd)
        : specifier in PACKAGES && { layer: PACKAGES[specifier], path: 'index.js' }
      if (!to || to.layer === from.layer) return
      if (specifier.startsWith('.') && Object.values(PACKAGES).includes(to.layer)) {
        const message = `src/${to.layer} is a package of its own: import it by the package's name.`
        context.report({ node, message })
        return
      }
      if (!ARROWS[from.layer].includes(to.layer)) {
        const message = `src/${from.layer} must not import src/${to.layer} (CONTRIBUTING.md, "The layout").`
        context.report({ node, message })
      } else if (!/(^|\/)index\.js$|_pb\.js$/.test(to.path)) {
        const message = `Import an index.js of src/${to.layer}, its face or that of a room of it, not ${to.path}.`
        context.report({ node, message })
      }
    }
    return {
      ImportDeclaration: ({ source, importKind }) => check(source, importKind === 'type'),
      ExportNamedDeclaration: ({ source, exportKind }) => check(source, exportKind === 'type'),
      ExportAllDeclaration: ({ source, exportKind }) => check(source, exportKind === 'type'),
      ImportExpression: ({ source }) => check(source),
      TSImportType: ({ source, argument }) => check(source ?? argument?.literal ?? argument, true),
    }
  },
}

/** `new Date()` reads the clock, `new Date(value)` does not. */
const noCurrentTime = {
  create: (context) => ({
    NewExpression(node) {
      if (node.callee.name === 'Date' && node.arguments.length === 0) {
        context.report({ node, message: 'This layer has no clock: `new Date()` is the current time.' })
      }
    },
  }),
}

/** oxfmt holds the width of code and leaves comments as they are. */
const commentWidth = {
  create: (context) => ({
    Program() {
      const { lines } = context.sourceCode
      for (const { loc } of context.sourceCode.getAllComments()) {
        for (let { line } = loc.start; line <= loc.end.line; line++) {
          const text = lines[line - 1] ?? ''
          if (text.length <= MAX_COLUMNS || text.includes('://')) continue
          const place = { start: { line, column: MAX_COLUMNS }, end: { line, column: text.length } }
          context.report({ loc: place, message: `A comment of ${text.length} columns; at most ${MAX_COLUMNS}.` })
        }
      }
    },
  }),
}

export default {
  meta: { name: 'planspan' },
  rules: {
    layers,
    'no-current-time': noCurrentTime,
    'comment-width': commentWidth,
    'no-spread-arguments': noSpreadArguments,
  },
}
