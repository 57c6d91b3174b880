function dbtype(file, lines)
% dbtype(file), dbtype file first:last: the lines of a file with their numbers.
place = which(file);
if isempty(place), place = which([file '.m']); end
if isempty(place)
    error('MATLAB:dbtype:fileNotFound', 'File ''%s'' not found.', file);
end
texts = splitlines(fileread(place));
if isempty(texts{end}), texts(end) = []; end
wanted = 1:numel(texts);
if nargin > 1
    ends = sscanf(strrep(char(lines), ':', ' '), '%d');
    wanted = max(ends(1), 1):min(ends(end), numel(texts));
end
fprintf('\n')
for k = wanted
    fprintf('%-5d %s\n', k, texts{k});
end
fprintf('\n')
end
