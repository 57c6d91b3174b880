function r = small_text_wrap()
words = strsplit('the quick brown fox jumps over the lazy dog while seven wizards make toxic brew for the evil queen', ' ');
r = 0;
for width = 12:3:36
    lines = {}; now = '';
    for k = 1:numel(words)
        if isempty(now), now = words{k};
        elseif numel(now) + 1 + numel(words{k}) <= width, now = [now ' ' words{k}];
        else, lines{end+1} = now; now = words{k};
        end
    end
    lines{end+1} = now; r = r + numel(lines)*width + max(cellfun(@numel, lines));
end
end
