if(
    JSONLength(StepsJson) > 0,
    arrayMap(
      (step, listed) -> (step.id, multiIf(step.title != '', step.title, step.description != '', step.description, listed), step.status),
      JSONExtract(StepsJson, 'Array(Tuple(id String, title String, description String, status String))') AS Objects,
      arrayResize(Steps, length(Objects))
    ),
    arrayMap(step -> ('', step, ''), Steps)
  )
