plan.IsOnlyRow OR known.Began IN (plan.Timestamp, toDateTime64(0, 9))
