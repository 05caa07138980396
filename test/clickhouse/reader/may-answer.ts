const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/**
 * The functions that may return a value to the reader, among those that ClickHouse calls nondeterministic or does not
 * categorize. A function that is missing here is new: does it reach a file, the network or a secret?
 */
export const FUNCTIONS: readonly string[] = [
  // Information on the query, its user and its connection.
  ...words(`authenticatedUser connectionId currentDatabase currentProfiles currentQueryID currentRoles currentSchemas
    currentUser defaultProfiles defaultRoles enabledProfiles enabledRoles getClientHTTPHeader getSetting
    getSettingOrDefault initialQueryID initialQueryStartTime queryID tid transactionID transactionLatestSnapshot
    transactionOldestSnapshot`),
  // Information on the server: its version, name and clock, how full its disk is.
  ...words(`FQDN UTCTimestamp buildId chdb displayName errorCodeToName filesystemAvailable filesystemCapacity
    filesystemUnreserved getMaxTableNameLengthForDatabase getMergeTreeSetting getOSKernelVersion getServerPort
    getServerSetting globalVariable hasThreadFuzzer hostName localtime now now64 nowInBlock nowInBlock64 revision
    serverTimezone serverUUID shardCount shardNum tcpPort timezone today uptime version yesterday zookeeperSessionUptime`),
  // Whether a column exists in a table that the reader may read.
  ...words('hasColumnInTable'),
  // Random values.
  ...words(`arrayPartialShuffle arrayRandomSample arrayShuffle fuzzBits fuzzQuery generateRandomStructure
    generateSnowflakeID generateUUIDv4 generateUUIDv7 obfuscateQuery rand rand64 randBernoulli randBinomial randCanonical
    randChiSquared randConstant randExponential randFisherF randLogNormal randNegativeBinomial randNormal randPoisson
    randStudentT randUniform randomFixedString randomPrintableASCII randomString randomStringUTF8`),
  // Information on blocks of rows.
  ...words(`arrayJoin blockNumber blockSerializedSize blockSize dumpColumnStructure isConstant neighbor rowNumberInAllBlocks
    rowNumberInBlock runningDifference runningDifferenceStartingWithFirstValue toColumnTypeName`),
  // Functions that wait, or write a line to the server's trace log.
  ...words('logTrace sleep sleepEachRow'),
  // Computations on their arguments.
  ...words(`MACStringToNum MACStringToOUI __actionName __applyFilter __bitBoolMaskAnd __bitBoolMaskOr __bitSwapLastTwo
    __bitWrapperFunc __scalarSubqueryResult byteSize caseWithExpression countDigits defaultValueOfArgumentType digits
    formatQueryOrNull formatQuerySingleLineOrNull formatReadableDecimalSize formatReadableQuantity formatReadableSize
    formatReadableTimeDelta getTypeSerializationStreams highlightQuery icebergBucket icebergTruncate identity ignore
    indexHint materialize normalizeQuery normalizeQueryKeepNames normalizedQueryHash normalizedQueryHashKeepNames
    obfuscateQueryWithSeed parseReadableSizeOrNull parseReadableSizeOrZero partitionId toTypeName tokenizeQuery
    visibleWidth`),
]

/** The table functions that may return rows: they generate them, or read tables that the reader may read. */
export const TABLE_FUNCTIONS: readonly string[] = words(
  `SQLStandardValues eval fuzzQuery generateRandom generateSeries generate_series merge mergeTreeAnalyzeIndexes
   mergeTreeIndex null numbers numbers_mt primes values view`,
)

/** The readable tables of `system`. Those in the first line list only what the reader may read. */
export const SYSTEM_TABLES: readonly string[] = words(
  `columns completions data_skipping_indices databases parts tables
   current_roles enabled_roles quota_usage settings
   aggregate_function_combinators collations contributors data_type_families database_engines dictionary_layouts disk_types
   formats functions licenses one privileges storage_policies table_engines table_functions time_zones`,
)

/** The reader's grants. */
export const PRIVILEGES: readonly string[] = [
  'SELECT ON open.*',
  ...['open.*', 'system.*'].flatMap((on) => [
    `SHOW DATABASES ON ${on}`,
    `SHOW TABLES ON ${on}`,
    `SHOW COLUMNS ON ${on}`,
  ]),
  'SHOW DICTIONARIES ON system.*',
  'SHOW ON system.*',
]
