function r = loop_random_walk(n)
% A walk on the grid by calls of rand, one number at a time.
    x = 0;
    y = 0;
    steps = 0;
    for i = 1:n
        u = rand();
        if u < 0.25
            x = x + 1;
        elseif u < 0.5
            x = x - 1;
        elseif u < 0.75
            y = y + 1;
        else
            y = y - 1;
        end
        steps = steps + 1;
    end
    if x * x + y * y > 40 * n
        error('bench:walk', 'Implausibly far.');
    end
    r = steps;
end
