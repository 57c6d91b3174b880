round(2.5), round(-2.5), fix(-2.7), floor(-2.5), ceil(2.1), mod(-1, 3), rem(-1, 3), mod(5, 0), mod(5.5, 2)
