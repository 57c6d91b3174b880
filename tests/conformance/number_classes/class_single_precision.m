single(0.1) == 0.1
class(single(1):3)
double(single(0.1)) - 0.1 < 1e-8
eps(single(1)) == single(2^-23)
