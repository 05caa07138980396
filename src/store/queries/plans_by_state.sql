-- Counts the plans in each state.
SELECT ${state} AS state, count() AS plans
FROM ${database}.plan_rows FINAL
WHERE ${where}
GROUP BY state
