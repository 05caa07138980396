TraceId GLOBAL IN (SELECT TraceId FROM ${database}.plan_keys WHERE Kind = {keyKind:String} AND Key = {key:String})
