import { dirname, join, relative, resolve, sep } from 'node:path'
import {
  ARROWS,
  BASE,
  COMPUTING_MODULES,
  FACES,
  PACKAGES,
  PURE,
  SELF_CONTAINED,
  TYPES_ALONE,
  WITH_ROOMS,
} from './layers.mjs'
import { plainEnglish } from './plain-english.mjs'
import { noSpreadArguments } from './spread.mjs'

/** Rules that oxlint does not have, for what CONTRIBUTING.md says. */

const MAX_COLUMNS = 120

/** The layer of a file and its path within it; undefined outside the layers. */
function placeOf(file, root) {
  const [layer, ...path] = relative(join(root, 'src'), file).split(sep)
  return layer in ARROWS && path.length > 0 ? { layer, path: path.join('/') } : undefined
}

/** A file of src/ that belongs to no layer; undefined elsewhere. */
function faceOf(file, root) {
  const path = relative(join(root, 'src'), file)
  return path in FACES ? { layer: path, path } : undefined
}

/** Whether a file lies in src/. */
const isSource = (file, root) => !relative(join(root, 'src'), file).startsWith('..')

/** The room of a place; undefined for a file that lies in the layer's own folder. */
const roomOf = ({ layer, path }) => (path.includes('/') ? `${layer}/${path.split('/')[0]}` : undefined)

/** Whether a place runs anywhere: its layer does, or its room. */
const isSelfContained = (place) => SELF_CONTAINED.includes(place.layer) || SELF_CONTAINED.includes(roomOf(place))

/**
 * Holds the arrows between the layers: who may import whom, and that a layer, or a room of it, is entered through its
 * index. Generated messages stand for themselves.
 */
const layers = {
  create(context) {
    const from = placeOf(context.filename, context.cwd) ?? faceOf(context.filename, context.cwd)
    if (!from) {
      if (!isSource(context.filename, context.cwd)) return {}
      const message = 'This file belongs to no layer of lint/layers.mjs: move it to one.'
      return { Program: (node) => context.report({ node, message }) }
    }
    const arrows = ARROWS[from.layer] ?? FACES[from.layer]
    const check = (node, ofTypes = false) => {
      const specifier = node?.value
      if (typeof specifier !== 'string') return
      const target = specifier.startsWith('.')
        ? placeOf(resolve(dirname(context.filename), specifier), context.cwd)
        : undefined
      if (isSelfContained(from) && !ofTypes && !(target && isSelfContained(target))) {
        context.report({ node, message: `src/${from.layer} runs anywhere: import types alone of ${specifier}.` })
      }
      if (specifier.startsWith('node:')) {
        if (PURE.includes(from.layer) && !COMPUTING_MODULES.includes(specifier)) {
          context.report({ node, message: `src/${from.layer} takes data and returns data; ${specifier} does more.` })
        }
        return
      }
      const to = target ?? (specifier in PACKAGES && { layer: PACKAGES[specifier], path: 'index.js' })
      if (!to || (to.layer === BASE && from.layer !== BASE)) return
      const isFace = /(^|\/)index\.js$|_pb\.js$/.test(to.path)
      if (to.layer === from.layer) {
        const isOtherRoom = WITH_ROOMS.includes(to.layer) && roomOf(to) !== undefined && roomOf(to) !== roomOf(from)
        if (isOtherRoom && !isFace) {
          context.report({ node, message: `Import the index.js of src/${roomOf(to)}, not ${to.path}.` })
        }
        return
      }
      if (specifier.startsWith('.') && Object.values(PACKAGES).includes(to.layer)) {
        const message = `src/${to.layer} is a package of its own: import it by the package's name.`
        context.report({ node, message })
        return
      }
      if (!arrows.includes(to.layer)) {
        const message = `src/${from.layer} must not import src/${to.layer} (CONTRIBUTING.md, "The layout").`
        context.report({ node, message })
      } else if (TYPES_ALONE[from.layer]?.includes(to.layer) && !ofTypes) {
        context.report({ node, message: `src/${from.layer} imports types alone of src/${to.layer}.` })
      } else if (!isFace) {
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
    'plain-english': plainEnglish,
  },
}
