function job = createJob(varargin)
% A job without tasks: job = createJob, job = createJob(cluster, 'Name', name, ...).
job = parallel.Job();
if mod(numel(varargin), 2)
    varargin(1) = [];
end
for k = 1:2:numel(varargin)
    switch lower(char(varargin{k}))
        case 'name', job.Name = char(varargin{k + 1});
        case 'tag', job.Tag = varargin{k + 1};
        case 'userdata', job.UserData = varargin{k + 1};
        case {'attachedfiles', 'autoaddclientpath', 'additionalpaths'}
            % Workers have this session's files and search path.
        otherwise
            error('parallel:job:UnknownOption', 'createJob has no option ''%s''.', char(varargin{k}));
    end
end
end
