function r = call_function(n)
% Calls of a local function.
    r = 0;
    for i = 1:n
        r = increment(r, i);
    end
end

function y = increment(x, d)
    y = x + d;
end
