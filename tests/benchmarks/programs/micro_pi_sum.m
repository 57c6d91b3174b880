function r = micro_pi_sum(n)
% A series summed again and again, in a scalar loop.
    r = 0;
    for j = 1:n
        r = 0;
        for k = 1:10000
            r = r + 1.0 / (k * k);
        end
    end
end
