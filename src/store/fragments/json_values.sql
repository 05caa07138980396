value -> coalesce(
    (value).stringValue, toString((value).intValue), toString((value).boolValue), toString((value).doubleValue),
    substring(toString(throwIf(
      isNotNull((value).arrayValue) OR isNotNull((value).kvlistValue) OR isNotNull((value).bytesValue),
      'planspan: an attribute value is an array, a map or bytes instead of text')), 2)) AS toText,
  -- Sorts by key and position, because arraySort is not stable and duplicate keys have to keep their order.
  attributes -> CAST(
    arraySort((kv, i) -> (kv.1, i), arrayMap(kv -> ((kv).key, toText((kv).value)), attributes), arrayEnumerate(attributes)),
    'Map(LowCardinality(String), String)') AS toMap
