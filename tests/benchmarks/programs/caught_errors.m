function r = caught_errors(n)
% Errors raised and caught.
    r = 0;
    for i = 1:n
        try
            error('bench:id', 'Number %d.', i);
        catch problem
            r = r + numel(problem.message);
        end
    end
end
