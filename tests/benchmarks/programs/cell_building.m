function r = cell_building(n)
% A cell grown element by element and read again.
    c = {};
    for i = 1:n
        c{end + 1} = i;
    end
    r = 0;
    for i = 1:numel(c)
        r = r + c{i};
    end
end
