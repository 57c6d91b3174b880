function r = cellfun_anonymous(n)
% cellfun with an anonymous function over short texts.
    c = cell(1, n);
    for i = 1:n
        c{i} = repmat('a', 1, mod(i, 7));
    end
    r = sum(cellfun(@(s) numel(s) * 2 + 1, c));
end
