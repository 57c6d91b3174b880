function job = batch(varargin)
% A function or script that a worker runs while this session goes on.
%   job = batch(fcn, nout, {x1, ...}), job = batch(script), job = batch(cluster, ...).
%   wait(job), fetchOutputs(job), load(job), diary(job), cancel(job), delete(job).
%   A script begins with the variables of 'Workspace' (a struct), or those of who calls batch.
%   'CurrentFolder' and 'AdditionalPaths' say where it runs and what is searched besides. Code of
%   this session and its path travels by itself, with or without 'AttachedFiles'; the pool that is
%   there, or a new one, runs it whatever 'Profile' says.
given = varargin;
if ~isempty(given) && isa(given{1}, 'parallel.Cluster')
    given(1) = [];
end
if isempty(given)
    error('parallel:batch:NotEnoughInputs', 'batch takes a function or the name of a script.');
end
what = given{1};
given(1) = [];
isCall = ~isempty(given) && isnumeric(given{1});
if isCall
    nout = given{1};
    given(1) = [];
    in = {};
    if ~isempty(given) && iscell(given{1})
        in = given{1};
        given(1) = [];
    end
end
job = parallel.Job();
workspace = [];
folder = '.';
paths = {};
for k = 1:2:numel(given)
    switch lower(char(given{k}))
        case 'workspace', workspace = given{k + 1};
        case 'currentfolder', folder = char(given{k + 1});
        case 'additionalpaths', paths = cellstr(given{k + 1});
        case 'capturediary'
            if ~given{k + 1}
                error('parallel:batch:DiaryIsKept', ...
                    'The diary of a job is always kept: batch takes ''CaptureDiary'' only as true.');
            end
        case {'pool', 'profile', 'autoaddclientpath', 'attachedfiles'}
            if strcmpi(given{k}, 'Pool') && ~isequal(given{k + 1}, 0) && isnumeric(given{k + 1})
                warning('parallel:batch:PoolIgnored', ...
                    'A worker has no pool of its own: parfor in it runs pass by pass.');
            end
        otherwise
            error('parallel:batch:UnknownOption', 'batch has no option ''%s''.', char(given{k}));
    end
end
if ~isCall
    nout = 1;
    if isempty(workspace)
        workspace = struct();
        for name = evalin('caller', 'who')'
            value = evalin('caller', name{1});
            if ~startsWith(class(value), {'parallel.', 'matlab.ui.', 'matlab.graphics.', 'timer', 'Composite', 'onCleanup', 'event.listener', 'meta.'})
                workspace.(name{1}) = value;
            end
        end
    end
    job.IsScript = true;
    in = {char(what), workspace};
    what = @parallel.internal.runscript;
end
if ~strcmp(folder, '.') || ~isempty(paths)
    in = [{folder, paths, what}, in];
    what = @parallel.internal.runthere;
end
createTask(job, what, nout, in);
submit(job);
end
