function [above, total, width] = arithmetic_model(counts, name)
% Cumulative counts with a zero before them, their sum, and how many bits the limits need.
if ~isvector(counts) || any(counts < 0 | counts ~= fix(counts)) || sum(counts) == 0
    error(['comm:' name ':InvalidCounts'], 'counts must be whole numbers from 0 on.');
end
above = [0 cumsum(double(counts(:)'))];
total = above(end);
width = ceil(log2(total)) + 2;
end
