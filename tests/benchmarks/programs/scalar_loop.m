function r = scalar_loop(n)
% One statement of scalars in a loop.
    r = 0;
    for i = 1:n
        r = r + i * 0.5;
    end
end
