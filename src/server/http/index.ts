export { AllowedOrigins, isAllowed } from './allowed-origins.js'
export { bindPort, limitConnections } from './bind-port.js'
export type { Address } from './bind-port.js'
export { CONNECTION_LIMITS } from './connection-limits.js'
export { turns } from './turns.js'
export { piecesOfStream } from './read-bounded.js'
export { BodyReader, UNREAD_STATUS } from './body-reader.js'
export type { BodyResult, Unread } from './body-reader.js'
export { drain, listen } from './listen.js'
export type { ListenOptions, Listener } from './listen.js'
export {
  CONTENT_TYPES,
  answer,
  fail,
  requestEncoding,
  answerProblem,
  problem,
  retrySeconds,
  streamedAnswer,
  taggedAnswer,
} from './answers.js'
export { compressJson } from './compress-json.js'
export { addressOf, peerOf, checkParameters, readQuery, readSmallBody, readSmallJson } from './read-request.js'
export { addRoute, honoPath, nameSpan, pathParameter, routeNameOf } from './add-route.js'
