-- What is in plans that start between two times: rows of then, and later ones of the same traces.
Start >= fromUnixTimestamp64Nano({from:Int64})
      AND (Start <= fromUnixTimestamp64Nano({to:Int64}) OR TraceId GLOBAL IN (
        SELECT TraceId
        FROM ${database}.plan_contents
        WHERE Start >= fromUnixTimestamp64Nano({from:Int64}) AND Start <= fromUnixTimestamp64Nano({to:Int64})
        UNION ALL
        SELECT TraceId
        FROM ${database}.foreign_plans
        WHERE Start >= fromUnixTimestamp64Nano({from:Int64}) AND Start <= fromUnixTimestamp64Nano({to:Int64})
      ))
