SELECT
  ${columns}
FROM ${database}.span_rows AS span FINAL
WHERE span.Role = 'guardrail' AND span.IsJudgement
