/** The password of a test's own users. */
export const PASSWORD = 'secret'

/**
 * ClickHouse's configuration of users, each with the rights of its GRANTs. The embedded server does not support CREATE
 * USER, and accepts the same statements here, without their TO.
 */
export function grantedUsers(grants: Readonly<Record<string, string>>): string {
  const users = Object.entries(grants).map(
    ([name, grant]) => `<${name}>
      <password>${PASSWORD}</password>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants><query>${grant.replace(/\s+TO \w+\s*$/, '')}</query></grants>
    </${name}>`,
  )
  return `<clickhouse><users>${users.join('')}</users></clickhouse>`
}

/** A server's URL for one of these users. */
export function asUser(url: string, name: string): string {
  const signedIn = new URL(url)
  signedIn.username = name
  signedIn.password = PASSWORD
  return signedIn.href
}
