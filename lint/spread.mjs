const GROWING = new Set(['push', 'unshift', 'splice', 'concat', 'min', 'max', 'fromCharCode', 'fromCodePoint'])

/** A list spread into the arguments of a function that takes any number of them. */
export const noSpreadArguments = {
  create: (context) => ({
    CallExpression(node) {
      const name = node.callee.type === 'MemberExpression' ? node.callee.property.name : undefined
      const spread = node.arguments.find(({ type }) => type === 'SpreadElement')
      if (!spread || !GROWING.has(name)) return
      const message = `A long list exceeds the stack as arguments of ${name}: add its items one by one (src/base/append.ts), or reduce it.`
      context.report({ node: spread, message })
    },
  }),
}
