import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { gzipSync } from 'node:zlib'

/** A file of the page in the browser, ready to be sent. */
export interface ViewerFile {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly gzipped: Uint8Array<ArrayBuffer>
}

/** The directory of the built page. This module is in src/server/viewer or in dist/server/viewer. */
const DIRECTORY = new URL('../../../dist/viewer/', import.meta.url)

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Returns the files of the built page by their paths; none if the page is not built. Each is read once, on demand. */
export function viewerFiles(): (path: string) => ViewerFile | undefined {
  let paths: ReadonlySet<string> | undefined
  const files = new Map<string, ViewerFile>()
  return (path) => {
    paths ??= new Set(pathsIn(DIRECTORY))
    if (!paths.has(path)) return undefined
    const file = files.get(path) ?? readViewerFile(path)
    files.set(path, file)
    return file
  }
}

function pathsIn(directory: URL): string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((path) => extname(path) in TYPES)
      .map((path) => path.replaceAll('\\', '/'))
  } catch {
    return []
  }
}

const readViewerFile = (path: string): ViewerFile =>
  toViewerFile(path, new Uint8Array(readFileSync(new URL(path, DIRECTORY))))

/** Returns a file of the page with these bytes. */
export const toViewerFile = (path: string, bytes: Uint8Array<ArrayBuffer>): ViewerFile => ({
  type: TYPES[extname(path)] ?? '',
  bytes,
  gzipped: new Uint8Array(gzipSync(bytes, { level: 9 })),
})
