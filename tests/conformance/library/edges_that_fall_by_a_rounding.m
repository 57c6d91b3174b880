% Sums of pieces may fall by a rounding between the pieces.
e = [0 .1 .2 .2-2*eps(.2) .3 1];
[n, b] = histc([.05 .15 .25 .9], e)
disp(histcounts([.05 .15 .25 .9], e))
disp(discretize([.05 .15 .25 .9], e))
disp(histc([.05 .15 .25 .9], [-Inf e(2:5) Inf]))
disp(histcounts(single([.05 .15 .9]), single([0 .2 .2-2*eps(single(.2)) 1])))
for bad = {[0 .3 .2 1], [3 1], uint8([3 1]), [0 Inf 1], [NaN 3 1], [-Inf Inf 0 Inf]}
    try, histc(1:3, bad{1}); catch e, disp(e.message), end
end
