-- The totals of all hours, by what is told of model calls.
SELECT
  toString(Measure) AS measure,
  toString(Provider) AS provider,
  toString(Model) AS model,
  toString(ResponseModel) AS responseModel,
  toString(ErrorType) AS errorType,
  arrayMap(count -> toString(count), sumForEach(Most)) AS counts,
  toString(sum(Size)) AS total
FROM (
  SELECT Hour, Measure, Provider, Model, ResponseModel, ErrorType, maxForEachMerge(Counts) AS Most, max(Total) AS Size
  FROM ${database}.model_call_totals
  GROUP BY Hour, Measure, Provider, Model, ResponseModel, ErrorType
)
GROUP BY Measure, Provider, Model, ResponseModel, ErrorType
ORDER BY measure, provider, model, responseModel, errorType
