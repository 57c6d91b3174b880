function r = small_truss()
nodes = [0 0; 1 0; 2 0; 0.5 1; 1.5 1]; bars = [1 2; 2 3; 1 4; 2 4; 2 5; 3 5; 4 5]; K = zeros(10);
for load = 1:5
    K(:) = 0;
    for e = 1:size(bars, 1)
        i = bars(e, 1); j = bars(e, 2);
        d = nodes(j, :) - nodes(i, :); L = norm(d); c = d / L;
        k = (210e3 * 0.01 / L) * (c' * c);
        a = 2*i-1:2*i; b = 2*j-1:2*j;
        K(a, a) = K(a, a) + k; K(b, b) = K(b, b) + k; K(a, b) = K(a, b) - k; K(b, a) = K(b, a) - k;
    end
    free = [3 4 5 7 8 9 10]; f = zeros(10, 1); f(10) = -load;
    u = zeros(10, 1); u(free) = K(free, free) \ f(free);
end
r = sum(u);
end
