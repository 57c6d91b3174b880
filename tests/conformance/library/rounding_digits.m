% oracle: round takes digits
round(3.14159, 2), round(1234, -2), round(2.675, 1)
