function r = map_building(n)
% A containers.Map filled and read.
    m = containers.Map();
    for i = 1:n
        m(sprintf('k%d', mod(i, 97))) = i;
    end
    r = 0;
    names = keys(m);
    for i = 1:numel(names)
        r = r + m(names{i});
    end
end
