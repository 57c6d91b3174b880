function r = text_building(n)
% Text grown piece by piece, split and joined.
    s = '';
    for i = 1:n
        s = [s sprintf('%d,', i)];
    end
    parts = strsplit(s, ',');
    t = strjoin(parts, '; ');
    r = length(t) + sum(t);
end
