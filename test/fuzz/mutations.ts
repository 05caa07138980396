import fc from 'fast-check'

type Mutation = (bytes: Buffer) => Buffer

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
const at = (bytes: Buffer, where: number): number => Math.floor(bytes.length * where)
const spliced = (bytes: Buffer, from: number, to: number, put: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(to)])

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(share, fc.nat(7)).map(([where, bit]): Mutation => (bytes) => {
    const changed = Buffer.from(bytes)
    const index = at(bytes, where)
    if (index < changed.length) changed[index] = changed[index]! ^ (1 << bit)
    return changed
  }),
  share.map(
    (where): Mutation =>
      (bytes) =>
        bytes.subarray(0, at(bytes, where)),
  ),
  fc.tuple(share, fc.uint8Array({ maxLength: 8 })).map(
    ([where, put]): Mutation =>
      (bytes) =>
        spliced(bytes, at(bytes, where), at(bytes, where), put),
  ),
  fc.tuple(share, share, share).map(([a, b, where]): Mutation => (bytes) => {
    const [from, to] = [at(bytes, Math.min(a, b)), at(bytes, Math.max(a, b))]
    return spliced(bytes, at(bytes, where), at(bytes, where), bytes.subarray(from, to))
  }),
  fc
    .tuple(share, fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', '\u0000', '9'.repeat(30), 'null', '\ufeff', '\n'))
    .map(([where, put]): Mutation => (bytes) => {
      const index = at(bytes, where)
      return spliced(bytes, index, index + 1, Buffer.from(put))
    }),
)

/** No change, or a few byte mutations in sequence. */
export const mutations: fc.Arbitrary<Mutation> = fc
  .array(mutation, { maxLength: 4 })
  .map((all) => (bytes) => all.reduce((changed, change) => change(changed), bytes))
