-- Plans begin evenly over the time, so that they end within it where they can.
INSERT INTO ${own}.plans
SELECT
  Plan,
  plan.Template AS Template,
  Spans,
  fromUnixTimestamp64Nano(${from} + toInt64(greatest(0, ${window} - Length * Pace) * ((Plan + 0.5) / ${plans}))) AS Begin,
  Pace,
  lower(hex(sipHash128(Id, Plan))) AS PlanId,
  lower(hex(sipHash128(Trace, Plan))) AS TraceId
FROM (
  SELECT
    toUInt32(number) AS Plan,
    cityHash64(number, 'template') AS Choice,
    toUInt32(if(cityHash64(number, 'kind') % 10 = 0, ${usual} + Choice % (${templates} - ${usual}), Choice % ${usual})) AS Template,
    0.8 + (cityHash64(number, 'pace') % 1000) / 2500 AS Pace
  FROM numbers(${plans})
) AS plan
INNER JOIN (
  SELECT Template, any(TemplateDuration) AS Length, any(PlanId) AS Id, any(template_rows.TraceId) AS Trace, toUInt32(count()) AS Spans
  FROM ${own}.template_rows
  GROUP BY Template
) AS template ON template.Template = plan.Template;

INSERT INTO ${own}.arrivals
SELECT
  fromUnixTimestamp64Nano(toUnixTimestamp64Nano(Begin) + toInt64((Offset + Duration) * Pace)) AS Arrival, Plan, Row, Begin, Pace
FROM ${own}.plans AS plan
INNER JOIN (SELECT Row, Template, Offset, Duration FROM ${own}.template_rows) AS template ON template.Template = plan.Template;
