import type * as Grpc from '@grpc/grpc-js'
import { addressOf } from '../http/index.js'

import type { Admit } from './listen-grpc.js'

/** The key under which Jaeger passes on the token of a user of its page. */
const PASSED_ON = 'bearer.token'

/** Admits calls by their metadata, before a message is read. */
export const guardCalls =
  (grpc: typeof Grpc, admit: Admit): Grpc.ServerInterceptor =>
  (_method, call) => {
    let release = (): void => {}
    return new grpc.ServerInterceptingCall(call, {
      start(next) {
        next({
          onReceiveMetadata(metadata, pass) {
            const caller = {
              authorization: firstOf(metadata, 'authorization'),
              passedOn: firstOf(metadata, PASSED_ON),
              from: addressOf(call.getPeer()),
            }
            const admitted = admit(caller, metadata)
            if ('code' in admitted) return call.sendStatus({ code: admitted.code, details: admitted.details })
            release = () => admitted.release()
            pass(metadata)
          },
          onCancel: () => release(),
        })
      },
      sendStatus(status, next) {
        release()
        next(status)
      },
    })
  }

const firstOf = (metadata: Grpc.Metadata, key: string): string | undefined => metadata.get(key)[0]?.toString()
