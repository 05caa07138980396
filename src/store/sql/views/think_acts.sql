SELECT * FROM (${think_act})
