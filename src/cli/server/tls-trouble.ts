const UNKNOWN_AUTHORITY =
  'its certificate is of an authority that is not known here. Name a file with that authority’s certificate in NODE_EXTRA_CA_CERTS'
const NO_TLS = 'it speaks no TLS. Begin its address with http://'

const WORDS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for other names. Ask it by one of these, or give it a certificate for this one',
  CERT_HAS_EXPIRED: 'its certificate has expired. Put a newer one in its place, or set this machine’s clock',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet. Set this machine’s clock, or the server’s certificate',
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
}

/** What keeps a server that answers from being spoken to over TLS, and what to do, if that is why a request failed. */
export function tlsTrouble(failure: Error): string | undefined {
  // Of what fetch threw, whose cause has the code.
  const { cause } = failure.cause instanceof Error ? failure.cause : failure
  const { code = '' }: NodeJS.ErrnoException = cause instanceof Error ? cause : failure
  const words = WORDS[code]
  return words === undefined ? undefined : `The server answers, but ${words} (${code}).`
}
