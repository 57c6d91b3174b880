function pctRunOnAll(varargin)
% Run a command in this session and in every worker of the pool: pctRunOnAll command.
code = strjoin(cellfun(@char, varargin, 'UniformOutput', false), ' ');
evalin('caller', code);
if ~isempty(gcp('nocreate'))
    f = parfevalOnAll(@parallel.internal.runtext, 0, code);
    wait(f);
    for k = 1:numel(f)
        if ~isempty(f(k).Error), rethrow(f(k).Error); end
        fprintf('%s', f(k).Diary);
    end
end
end
