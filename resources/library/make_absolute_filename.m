function name = make_absolute_filename(name)
% name = make_absolute_filename(name): the whole name of a file in the current folder (Octave's).
if ~ischar(name)
    error('make_absolute_filename:invalidType', 'The name of the file must be a character vector.');
end
if is_absolute_filename(name)
    return
end
name = [pwd '/' name];
kept = {};
for part = strsplit(name, '/')
    if strcmp(part{1}, '..')
        kept = kept(1:max(end - 1, 0));
    elseif ~any(strcmp(part{1}, {'', '.'}))
        kept{end+1} = part{1}; %#ok<AGROW>
    end
end
name = ['/' strjoin(kept, '/')];
end
