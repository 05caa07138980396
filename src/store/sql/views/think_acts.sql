SELECT * FROM (${open_think_act})
