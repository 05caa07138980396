import { readFileSync } from 'node:fs'

const plan = readFileSync(new URL('../fixtures/lynxe/details-waiting-input.json', import.meta.url), 'utf8')
const DEEP = 100_000

/** A malformed file, the line of its error, and the expected message. */
export interface BadFile {
  readonly bytes: Uint8Array
  readonly line: number
  readonly code: 'invalid_record' | 'unknown_dialect'
  readonly message: RegExp
}

const notJson = (text: string, line: number, message: RegExp): BadFile => ({
  bytes: Buffer.from(text),
  line,
  code: 'invalid_record',
  message,
})
const unknown = (text: string, message: RegExp): BadFile => ({
  ...notJson(text, 1, message),
  code: 'unknown_dialect',
})
const notUtf8 = (bytes: Uint8Array): BadFile => ({
  bytes,
  line: 1,
  code: 'invalid_record',
  message: /^Not UTF-8: convert the file to UTF-8/,
})

export const BAD_FILES: Readonly<Record<string, BadFile>> = {
  'an empty file': notJson('', 1, /^The file is empty/),
  'a file of white space': notJson('\uFEFF \n\t', 1, /^The file is empty/),
  'a file that is no JSON': notJson('\n<html>\n', 2, /^Not JSON: unexpected "<", line 2, column 1\.$/),
  'a Python literal': notJson("{'planId': 'p'}", 1, /expected a key in double quotes, line 1, column 2\.$/),
  'a file that ends within a text': notJson(plan.slice(0, 500), 1, /a string is not closed, line 1, column 501\.$/),
  'a file that ends within an object': notJson('{\n "planId": "p"', 1, /line 2, column 15\.$/),
  'a list of records': unknown(`[${plan}]`, /^No known record format: a JSON array\. Known: plan-execution, /),
  'a number': unknown('42', /a JSON number/),
  'an object of another system': unknown('{"a":1,"b":2}', /an object with the keys "a", "b"\. .*--format/),
  'a record in a prototype': unknown(`{"__proto__":${plan}}`, /an object with the keys "__proto__"/),
  'an event stream of text': notJson(
    'event: message\ndata: hello\n\n',
    1,
    /data of the event on line 2 is not one JSON value/,
  ),
  'an event stream of pings': unknown(': ping\n\n', /an event stream without events/),
  'lists within lists': notJson('['.repeat(DEEP) + ']'.repeat(DEEP), 1, /nested deeper than 1000 levels, line 1/),
  'objects within objects': notJson(
    `{"planId":"p","userRequest":${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP + 1)}`,
    1,
    /nested deeper than 1000 levels, line 1/,
  ),
  'a file in Latin-1': notUtf8(Buffer.from(plan.replace('Form', 'Förm'), 'latin1')),
  'a file in UTF-16': notUtf8(Buffer.from(`\uFEFF${plan}`, 'utf16le')),
}
