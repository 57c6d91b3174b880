function r = micro_mandel(n)
% Escape times of complex points, scalar by scalar.
    r = 0;
    for i = 0:n-1
        for k = 0:n-1
            r = r + escape(complex(-2 + 2.5 * i / (n - 1), -1 + 2 * k / (n - 1)));
        end
    end
end

function t = escape(c)
    z = c;
    t = 80;
    for k = 1:80
        if abs(z) > 2
            t = k - 1;
            return
        end
        z = z ^ 2 + c;
    end
end
