Tuple(
        stringValue Nullable(String), boolValue Nullable(Bool), intValue Nullable(Int64), doubleValue Nullable(Float64),
        arrayValue Nullable(String), kvlistValue Nullable(String), bytesValue Nullable(String))
