% oracle: a negative infinity to a fraction is complex, as in arrays; the square root of -0 is 0 by a power
a = (-Inf)^1.7
isreal((-Inf)^2.5)
for k = 1:2, z(k) = (-Inf)^1.7; end
isequal(isinf(real(z)), [true true])
(-Inf)^3, (-Inf)^-2
1 ./ ([4 -0 9] .^ 0.5)
1 / (-0)^0.5
