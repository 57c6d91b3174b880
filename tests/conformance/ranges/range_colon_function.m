colon(1, 3), colon(1, 2, 5)
