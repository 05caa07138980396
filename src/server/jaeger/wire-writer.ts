import type { DescMessage } from '@bufbuild/protobuf'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

/** The field numbers of a message. */
export const fieldNumbers = <Message extends DescMessage>(message: Message): FieldNumbers<Message> =>
  Object.fromEntries(message.fields.map(({ localName, number }) => [localName, number])) as FieldNumbers<Message>

type FieldNumbers<Message extends DescMessage> = Readonly<Record<keyof Message['field'], number>>

/**
 * Writes protobuf messages field by field. This takes half the time of protobuf-es, which interprets descriptors; tens
 * of thousands of spans are written at once.
 */
export class WireWriter {
  readonly #writer = new BinaryWriter()

  text(field: number, text: string): void {
    this.#writer.tag(field, WireType.LengthDelimited).string(text)
  }

  /** Writes a field of bytes from hex digits; omitted if the number of bytes differs. */
  hex(field: number, digits: string, length: number): void {
    const bytes = Buffer.from(digits, 'hex')
    if (digits.length === length * 2 && bytes.length === length)
      this.#writer.tag(field, WireType.LengthDelimited).bytes(bytes)
  }

  /** Writes a field of a bool, an enum or a non-negative int32. */
  number(field: number, value: number): void {
    this.#writer.tag(field, WireType.Varint).uint32(value)
  }

  int64(field: number, value: bigint): void {
    this.#writer.tag(field, WireType.Varint).int64(value)
  }

  fixed64(field: number, value: bigint): void {
    this.#writer.tag(field, WireType.Bit64).fixed64(value)
  }

  double(field: number, value: number): void {
    this.#writer.tag(field, WireType.Bit64).double(value)
  }

  /** Writes a nested message. */
  message(field: number, write: () => void): void {
    this.#writer.tag(field, WireType.LengthDelimited).fork()
    write()
    this.#writer.join()
  }

  /** Returns the written bytes. The writer must not be used afterwards. */
  take(): Uint8Array {
    return this.#writer.finish()
  }
}
