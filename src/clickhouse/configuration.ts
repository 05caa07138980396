import { createHash } from 'node:crypto'
import { join } from 'node:path'

import { type Credentials, readerName, readerNameOf, tenantsOf, writerName } from './credentials.js'
import { type DataDirectory, replaceFile } from './data-directory.js'
import type { Ports } from './ports.js'
import { tenantGrants } from './reader-grants.js'

/** The storage policy and the volume in a cold directory. */
export const COLD_VOLUME = { policy: 'planspan', volume: 'cold' } as const

export interface Configuration {
  readonly ports: Ports
  readonly credentials: Credentials
  /** The reader's grants, as GRANT statements. */
  readonly grants: readonly string[]
  readonly coldDirectory: string | undefined
  readonly fsync: boolean
  /** The directory whose tables this engine reads and never changes; undefined for the engine that owns them. */
  readonly owner?: DataDirectory
}

/** Writes ClickHouse's config.xml and users.xml into the data directory. */
export function writeConfiguration(directory: DataDirectory, configuration: Configuration): void {
  const { credentials, grants } = configuration
  replaceFile(directory.root, directory.configuration, serverConfiguration(directory, configuration))
  replaceFile(directory.root, directory.users, userConfiguration(credentials, grants))
}

// log-level is outside <logger> because clickhouse-local overwrites <logger><level> with it. ClickHouse's own log
// tables (query_log and the like) exist only if configured, so none grows here. Without a default_database,
// clickhouse-local creates none and uses the existing one. Only the HTTP handlers named here exist: ClickHouse's web
// terminal would let a user who may not change settings change all of them.
function serverConfiguration(directory: DataDirectory, { ports, coldDirectory, fsync, owner }: Configuration): string {
  return `<clickhouse>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${ports.http}</http_port>
  <tcp_port>${ports.native}</tcp_port>
  <http_handlers>
    <rule><url>/ping</url><handler><type>ping</type></handler></rule>
    <rule>
      <url>/</url>
      <handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name></handler>
    </rule>
  </http_handlers>
  <default_database/>
  <database>default</database>
  <users_config>${escapeXml(directory.users)}</users_config>
  <log-level>information</log-level>
  <logger>
    <log>${escapeXml(directory.log)}</log>
    <size>10M</size>
    <count>3</count>
    <console>false</console>
  </logger>
${owner ? readOnlyStorage([owner.store, coldDirectory]) : ownStorage(coldDirectory, fsync)}  <send_crash_reports><enabled>false</enabled></send_crash_reports>
  <max_server_memory_usage_to_ram_ratio>0.5</max_server_memory_usage_to_ram_ratio>
  <mark_cache_size>268435456</mark_cache_size>
  <memory_worker_period_ms>500</memory_worker_period_ms>
  <asynchronous_metrics_update_period_s>60</asynchronous_metrics_update_period_s>
</clickhouse>
`
}

const ownStorage = (coldDirectory: string | undefined, fsync: boolean): string =>
  (coldDirectory === undefined ? '' : storageConfiguration(coldDirectory)) + partConfiguration(fsync)

// A separate file for the lengths of a column's strings speeds up no query of planspan, and each file of a part adds to
// the cost of reading a few of its rows.
const partConfiguration = (fsync: boolean): string => `  <merge_tree>
    <string_serialization_version>single_stream</string_serialization_version>
${fsync ? fsyncConfiguration : ''}  </merge_tree>
`

// Merged parts need no fsync: ClickHouse keeps their source parts for eight minutes, and the operating system writes
// the files to disk within one.
const fsyncConfiguration = `    <fsync_after_insert>1</fsync_after_insert>
    <fsync_part_directory>1</fsync_part_directory>
`

// The first volume is that of ClickHouse's default policy, so that a table can change to this policy. A full disk
// (move_factor) does not move parts, because ClickHouse might move the newest spans.
function storageConfiguration(coldDirectory: string): string {
  const { policy, volume } = COLD_VOLUME
  return `  <storage_configuration>
    <disks>
      <${volume}><type>local</type><path>${escapeXml(join(coldDirectory, '/'))}</path></${volume}>
    </disks>
    <policies>
      <${policy}>
        <volumes>
          <default><disk>default</disk></default>
          <${volume}><disk>${volume}</disk></${volume}>
        </volumes>
        <move_factor>0</move_factor>
      </${policy}>
    </policies>
  </storage_configuration>
`
}

// ClickHouse opens only disks of this type for reading alone, so that it neither merges nor repairs what it finds. The
// paths of the files are those of a local disk. The policy is that of all tables, because some name it.
function readOnlyStorage(directories: readonly (string | undefined)[]): string {
  const disks = directories.flatMap((path) => (path === undefined ? [] : [join(path, '/')]))
  const disk = (path: string, index: number) => `
      <read${index}>
        <type>object_storage</type><object_storage_type>local</object_storage_type><metadata_type>plain</metadata_type>
        <path>${escapeXml(path)}</path><readonly>true</readonly><skip_access_check>true</skip_access_check>
      </read${index}>`
  const volume = (_: string, index: number) => `<volume${index}><disk>read${index}</disk></volume${index}>`
  const { policy } = COLD_VOLUME
  return `  <storage_configuration>
    <disks>${disks.map(disk).join('')}
    </disks>
    <policies><${policy}><volumes>${disks.map(volume).join('')}</volumes></${policy}></policies>
  </storage_configuration>
  <merge_tree>
    <storage_policy>${policy}</storage_policy>
    <refresh_parts_interval>1</refresh_parts_interval>
  </merge_tree>
`
}

// The engine's own session is hard-wired to a user `default` without a password. It takes the only session that this
// user may have before any port is open, and is allowed nothing except to open the ports.
function userConfiguration(credentials: Credentials, grants: readonly string[]): string {
  const readers = [
    reader(readerName, credentials[readerName], grants),
    ...tenantsOf(credentials).map((database) => {
      const name = readerNameOf(database)
      return reader(name, credentials[name] ?? '', tenantGrants(database))
    }),
  ]
  return `<clickhouse>
  <profiles>
    <default>
      <async_insert>0</async_insert>
      <optimize_on_insert>0</optimize_on_insert>
      <output_format_json_quote_64bit_integers>1</output_format_json_quote_64bit_integers>
    </default>
    <reader>
      <readonly>1</readonly>
      <output_format_json_quote_64bit_integers>1</output_format_json_quote_64bit_integers>
      <constraints>
        <max_execution_time><changeable_in_readonly/></max_execution_time>
        <max_memory_usage><changeable_in_readonly/></max_memory_usage>
      </constraints>
    </reader>
    <starter><max_sessions_for_user>1</max_sessions_for_user></starter>
  </profiles>
  <quotas><default/></quotas>
  <users>
    <default>
      <no_password/>
      ${localUser('starter')}
      <grants><query>GRANT SYSTEM LISTEN ON *.*</query></grants>
    </default>
    <${writerName}>
      <password_sha256_hex>${sha256(credentials[writerName])}</password_sha256_hex>
      ${localUser('default')}
    </${writerName}>
    ${readers.join('\n    ')}
  </users>
</clickhouse>
`
}

const reader = (name: string, password: string, grants: readonly string[]): string => `<${name}>
      <password_sha256_hex>${sha256(password)}</password_sha256_hex>
      ${localUser('reader')}
      <grants>
        ${grants.map((grant) => `<query>${escapeXml(grant)}</query>`).join('\n        ')}
      </grants>
    </${name}>`

function localUser(profile: string): string {
  return `<networks><ip>127.0.0.1</ip></networks><profile>${profile}</profile><quota>default</quota>`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
