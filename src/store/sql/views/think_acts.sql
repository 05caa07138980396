SELECT * FROM (${open_think_act})
UNION ALL
${foreign_think_act}
