-- Works out the totals of some hours, between two times. A call counts at each bound that it does not exceed, and once more at the
-- end. There is room for so many sets of attributes, those with the most calls first; all others are summed up as one.
INSERT INTO ${database}.model_call_totals (Hour, Measure, Provider, Model, ResponseModel, ErrorType, Counts, Total, Checksum)
SELECT
  CallHour,
  Kind,
  Named.1,
  Named.2,
  Named.3,
  Named.4,
  initializeAggregation('maxForEachState', sumForEach(Below)),
  sum(Size),
  any(transform(toUnixTimestamp(CallHour), {hours:Array(UInt32)}, {checksums:Array(UInt64)}, 0::UInt64))
FROM (
  SELECT
    *,
    if(IsKnown OR Place <= Room, Labels, ('_OTHER', '_OTHER', '_OTHER', '_OTHER')) AS Named,
    dense_rank() OVER (PARTITION BY IsKnown ORDER BY Weight DESC, Kind, Labels) AS Place
  FROM (
    SELECT
      *,
      (Kind, Labels) GLOBAL IN (
        SELECT toString(Measure), (toString(Provider), toString(Model), toString(ResponseModel), toString(ErrorType))
        FROM ${database}.model_call_totals
      ) AS IsKnown,
      (
        SELECT greatest({room:Int64} - toInt64(uniqExact(Measure, Provider, Model, ResponseModel, ErrorType)), 0)
        FROM ${database}.model_call_totals
      ) AS Room,
      sum(Calls) OVER (PARTITION BY Kind, Labels) AS Weight
    FROM (
      SELECT
        toStartOfHour(toDateTime(Timestamp, 'UTC')) AS CallHour,
        measured.1 AS Kind,
        measured.2 AS Labels,
        sumForEach(arrayPushBack(
          arrayMap(bound -> toUInt64(assumeNotNull(measured.3) <= bound), if(Kind = 'duration', {durationBounds:Array(UInt64)}, {tokenBounds:Array(UInt64)})),
          1::UInt64
        )) AS Below,
        sum(toUInt128(assumeNotNull(measured.3))) AS Size,
        count() AS Calls
      FROM (
        SELECT
          *,
          arrayMap(text -> substringUTF8(toString(text), 1, 200), [toString(Provider), toString(Model), toString(ResponseModel)]) AS Who,
          multiIf(ErrorType != '', substringUTF8(toString(ErrorType), 1, 200), State = 'failed', '_OTHER', '') AS Failure
        FROM ${database}.model_calls
        WHERE State IN (${over}) AND Timestamp >= fromUnixTimestamp64Nano({from:Int64}) AND Timestamp <= fromUnixTimestamp64Nano({to:Int64})
      )
      ARRAY JOIN arrayFilter(one -> isNotNull(one.3), [
        ('duration', (Who[1], Who[2], Who[3], Failure), toUInt64(round(DurationMs * 1000000))),
        ('input', (Who[1], Who[2], Who[3], ''), toUInt64(if(InputTokens < 0, 0, InputTokens))),
        ('output', (Who[1], Who[2], Who[3], ''), toUInt64(if(OutputTokens < 0, 0, OutputTokens)))
      ]) AS measured
      GROUP BY CallHour, Kind, Labels
      HAVING has({hours:Array(UInt32)}, toUnixTimestamp(CallHour))
    )
  )
)
GROUP BY CallHour, Kind, Named
