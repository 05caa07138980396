import { symptomIn } from './symptoms.mjs'

const TEST_FUNCTIONS = new Set(['describe', 'it', 'test'])

/** The name of the function at the root of a call such as `it.each(…)(…)`. */
function rootOf(callee) {
  let node = callee
  while (node.type === 'CallExpression' || node.type === 'MemberExpression') node = node.callee ?? node.object
  return node.name
}

/** Comments, strings and the names of tests are written in plain English. */
export const plainEnglish = {
  create(context) {
    const isTest = /(?:^|\/)test\//.test(context.filename.slice(context.cwd.length))
    const check = (node, text) => {
      const symptom = symptomIn(text)
      if (!symptom) return
      context.report({ node, message: `Plain English: write ${symptom.instead}, not "${symptom.word}".` })
    }
    const checkString = (node) => {
      if (node.type === 'Literal' && typeof node.value === 'string') check(node, node.value)
      else if (node.type === 'TemplateLiteral') for (const { value } of node.quasis) check(node, value.raw)
    }
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) check(comment, comment.value)
      },
      // The strings of tests are data, except the names.
      ...(isTest
        ? {
            CallExpression({ callee, arguments: [name] }) {
              if (name && TEST_FUNCTIONS.has(rootOf(callee))) checkString(name)
            },
          }
        : { Literal: checkString, TemplateLiteral: checkString }),
    }
  },
}
