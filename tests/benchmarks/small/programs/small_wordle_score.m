function r = small_wordle_score()
words = {'crane', 'slate', 'eerie', 'array', 'level'}; r = '';
for i = 1:numel(words), for j = 1:numel(words)
    g = words{i}; a = words{j}; s = repmat('-', 1, 5); hit = g == a; s(hit) = 'G'; left = a(~hit);
    for k = find(~hit), at = find(left == g(k), 1); if ~isempty(at), s(k) = 'y'; left(at) = []; end, end
    r = [r s];
end, end
end
