function out = mapreduce(ds, mapper, reducer, varargin)
% Data read part by part, mapped to keys and values, and reduced key by key.
%   out = mapreduce(ds, mapper, reducer): mapper(data, info, store) adds pairs for every part that
%   read(ds) gives; reducer(key, values, store) is called once for every key, with its values one by
%   one (hasnext, getnext). The result is a datastore of the pairs that the reducer added.
%   Keys come in the order in which they appeared. Options: 'Display' ('on' or 'off'), 'OutputType'
%   ('Binary', or 'TabularText' for files of text in 'OutputFolder', the current folder unless told).
[shown, kind, folder] = deal(false, 'Binary', pwd);
for k = 1:2:numel(varargin) - 1
    switch lower(char(varargin{k}))
        case 'display', shown = strcmpi(varargin{k + 1}, 'on');
        case 'outputtype', kind = validatestring(varargin{k + 1}, {'Binary', 'TabularText'});
        case 'outputfolder', folder = char(varargin{k + 1});
        otherwise
            error('MATLAB:mapreduce:unknownOption', 'mapreduce has no option ''%s''.', char(varargin{k}));
    end
end
middle = matlab.mapreduce.KeyValueStore();
reset(ds);
while hasdata(ds)
    try
        [data, info] = read(ds);
    catch problem
        if ~strcmp(problem.identifier, 'MATLAB:TooManyOutputs'), rethrow(problem); end
        data = read(ds);
        info = struct();
    end
    mapper(data, info, middle);
    if shown, fprintf('Map %3.0f%%  Reduce   0%%\n', 100*progress(ds)); end
end
made = matlab.mapreduce.KeyValueStore();
count = numel(middle.Keys);
for k = 1:count
    key = middle.Keys{k};
    reducer(key, matlab.mapreduce.ValueIterator(key, middle.Values{k}), made);
    if shown, fprintf('Map 100%%  Reduce %3.0f%%\n', 100*k/count); end
end
keys = {};
values = {};
for k = 1:numel(made.Keys)
    keys = [keys; repmat(made.Keys(k), numel(made.Values{k}), 1)]; %#ok<AGROW>
    values = [values; made.Values{k}]; %#ok<AGROW>
end
out = matlab.mapreduce.KeyValueDatastore(keys, values);
if strcmp(kind, 'TabularText')
    if ~isfolder(folder), mkdir(folder); end
    file = [tempname(folder), '.txt'];
    writetable(readall(out), file);
    out = tabularTextDatastore(file);
end
end
