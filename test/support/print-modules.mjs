// node --import: prints the URL of each loaded module to standard error.
import { register } from 'node:module'

const hooks = `import { writeSync } from 'node:fs'
export function load(url, context, next) {
  writeSync(2, url + '\\n')
  return next(url, context)
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
