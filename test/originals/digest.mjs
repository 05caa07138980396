import { createHash } from 'node:crypto'

/** @param {string} text */
export const digestOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16)
