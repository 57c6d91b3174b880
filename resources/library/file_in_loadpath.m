function found = file_in_loadpath(file, every)
% found = file_in_loadpath(file): the place of a file in the folders of the search path, [] where
% it is in none; file may be a cell of names. With 'all' a cell of all places (Octave's).
names = cellstr(file);
places = [{pwd}, strsplit(path, pathsep)];
found = {};
for name = names(:)'
    if any(name{1} == filesep) && isfile(name{1})
        found{end + 1, 1} = name{1};
    end
    for place = places
        at = fullfile(place{1}, name{1});
        if ~isempty(place{1}) && isfile(at) && ~any(strcmp(found, at))
            found{end + 1, 1} = at;
        end
    end
end
if nargin < 2
    if isempty(found)
        found = [];
    else
        found = found{1};
    end
elseif ~strcmp(every, 'all')
    error('Octave:some-id', 'file_in_loadpath: "all" is only valid second argument');
end
end
