${priced_calls}
