0.1 + 0.2 == 0.3, abs(0.1 + 0.2 - 0.3) < eps, realmax * 2, realmin / 2 > 0, eps, eps(1000) > eps, 1 / 0, -1 / 0, 2 ^ 1024, flintmax, 5e-324 > 0
