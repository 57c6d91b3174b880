function r = struct_building(n)
% A struct array grown and read, and fields named at run time.
    s = struct('a', {}, 'b', {});
    for i = 1:n
        s(i).a = i;
        s(i).b = 'text';
    end
    t = struct();
    for i = 1:n
        t.(sprintf('f%d', i)) = i;
    end
    names = fieldnames(t);
    r = 0;
    for i = 1:n
        r = r + s(i).a + numel(s(i).b) + t.(names{i});
    end
end
