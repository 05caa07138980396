import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { Client, credentials } from '@grpc/grpc-js'

const FIND_TRACES = '/jaeger.storage.v2.TraceReader/FindTraces'
const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'
const DEPTH = 10_000
const asIs = (bytes) => bytes

/** Sends all that planspan's remote storage has to an OTLP receiver: a message of the one is a request of the other. */
export async function copyTraces(from, to) {
  const [source, target] = [from, to].map((endpoint) => new Client(endpoint, credentials.createInsecure()))
  const stream = source.makeServerStreamRequest(FIND_TRACES, asIs, asIs, everything())
  for await (const traces of stream) {
    await new Promise((resolve, reject) => {
      target.makeUnaryRequest(EXPORT, asIs, asIs, traces, (error) => (error ? reject(error) : resolve()))
    })
  }
  source.close()
  target.close()
}

/** FindTracesRequest { query { search_depth } } */
function everything() {
  const query = new BinaryWriter().tag(8, WireType.Varint).int32(DEPTH).finish()
  return Buffer.from(new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(query).finish())
}
