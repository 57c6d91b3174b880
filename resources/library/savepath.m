function status = savepath(file)
% savepath(file): write the search path into a file that sets it again when it is run.
%   Without a file it is pathdef.m in the current folder. status is 0 when it was written.
if nargin < 1
    file = 'pathdef.m';
end
id = fopen(file, 'w');
status_ = double(id < 0);
if id >= 0
    folders = strsplit(path, pathsep);
    folders(cellfun('isempty', folders)) = [];
    lines = cellfun(@(f) sprintf('    ''%s'', pathsep, ...\n', strrep(f, '''', '''''')), folders, ...
        'UniformOutput', false);
    fprintf(id, 'function p = pathdef\n%% The search path.\np = [ ...\n%s    ''''];\nend\n', [lines{:}]);
    fclose(id);
elseif nargout == 0
    warning('MATLAB:SavePath:PathNotSaved', 'Unable to save the path to file ''%s''.', file);
end
if nargout
    status = status_;
end
end
