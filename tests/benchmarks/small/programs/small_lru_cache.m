function r = small_lru_cache()
room = 5; keys = {}; values = {}; hits = 0;
for k = 1:80
    key = sprintf('k%d', mod(k * k, 9)); at = find(strcmp(keys, key), 1);
    if isempty(at)
        if numel(keys) == room, keys(1) = []; values(1) = []; end
        keys{end+1} = key; values{end+1} = k;
    else
        hits = hits + 1; v = values{at}; keys(at) = []; values(at) = []; keys{end+1} = key; values{end+1} = v + 1;
    end
end
r = hits * 1000 + sum([values{:}]);
end
