function n = matlabpool(varargin)
% The former way to start and end a pool: matlabpool, matlabpool open n, matlabpool close, matlabpool('size').
words = cellfun(@(v) lower(char(string(v))), varargin, 'UniformOutput', false);
pool = gcp('nocreate');
if any(strcmp(words, 'size'))
    n = 0;
    if ~isempty(pool), n = pool.NumWorkers; end
    return
end
if any(strcmp(words, 'close'))
    if ~isempty(pool), delete(pool); end
    return
end
count = str2double(words);
count = count(~isnan(count));
if isempty(count)
    parpool('Processes');
else
    parpool('Processes', count(1));
end
end
