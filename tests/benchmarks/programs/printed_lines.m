function r = printed_lines(n)
% Lines to the standard output.
    for i = 1:n
        fprintf('%d: %g\n', i, i / 3);
    end
    r = n;
end
