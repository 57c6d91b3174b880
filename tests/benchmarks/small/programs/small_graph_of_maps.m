function r = small_graph_of_maps()
graph = containers.Map();
for k = 1:20
    graph(sprintf('n%d', k)) = {sprintf('n%d', mod(k*3, 20) + 1), sprintf('n%d', mod(k*7, 20) + 1)};
end
seen = containers.Map(); queue = {'n1'}; r = 0; seen('n1') = 0;
while ~isempty(queue)
    node = queue{1}; queue(1) = []; next = graph(node); r = r + seen(node);
    for k = 1:numel(next)
        if ~isKey(seen, next{k}), seen(next{k}) = seen(node) + 1; queue{end+1} = next{k}; end
    end
end
r = r*100 + seen.Count;
end
