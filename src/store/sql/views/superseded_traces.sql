-- Few records have several generations, and only among those is it worth looking for the deciding one.
SELECT TraceId FROM (${superseded})
