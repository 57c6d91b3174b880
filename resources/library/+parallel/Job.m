classdef Job < handle
    % Calls of functions that workers make: createJob, createTask, submit, wait, fetchOutputs; batch.
    properties (SetAccess = private)
        ID = 0;
        Tasks = [];
    end

    properties
        Name = '';
        Tag = '';
        UserData = [];
    end

    properties (Hidden)
        IsScript = false;
        Submitted = false;
    end

    properties (Dependent)
        State
    end

    methods
        function job = Job()
            % A job without tasks.
            persistent count
            if isempty(count), count = 0; end
            count = count + 1;
            job.ID = count;
            job.Name = sprintf('Job%d', count);
        end

        function made = createTask(job, fcn, nout, in, varargin)
            % createTask(job, fcn, nout, {x1, ...}); a cell of cells makes a task of each.
            if nargin < 4, in = {}; end
            if job.Submitted
                error('parallel:job:AlreadySubmitted', 'A job that was submitted takes no more tasks.');
            end
            if ~iscell(in)
                error('parallel:job:InvalidInput', 'The inputs of a task are a cell array.');
            end
            if isempty(in) || ~all(cellfun(@iscell, in))
                in = {in};
            end
            made = [];
            for k = 1:numel(in)
                task = parallel.Task(job, numel(job.Tasks) + 1, fcn, nout, in{k});
                for p = 1:2:numel(varargin) - 1
                    task.(varargin{p}) = varargin{p + 1};
                end
                job.Tasks = [job.Tasks, task];
                made = [made, task];
            end
        end

        function submit(job)
            % Have workers make the calls.
            if job.Submitted
                error('parallel:job:AlreadySubmitted', 'This job was submitted already.');
            end
            job.Submitted = true;
            for task = job.Tasks
                if ~task.Cancelled
                    task.Future = parfeval(task.Function, task.NumOutputArguments, task.InputArguments{:});
                end
            end
        end

        function s = get.State(job)
            % pending, queued, running, finished or failed.
            if ~job.Submitted
                s = 'pending';
                return
            end
            states = arrayfun(@(t) {t.State}, job.Tasks);
            if all(strcmp(states, 'finished'))
                s = 'finished';
            elseif all(strcmp(states, 'queued'))
                s = 'queued';
            else
                s = 'running';
            end
        end

        function ok = wait(job, state, seconds)
            % Wait until it has finished, or is running, for so many seconds at most.
            if nargin < 2, state = 'finished'; end
            if nargin < 3, seconds = Inf; end
            if ~job.Submitted
                error('parallel:job:NotSubmitted', 'A job must be submitted before it is waited for.');
            end
            ok = true;
            start = tic;
            for task = job.Tasks
                if ~isempty(task.Future)
                    ok = wait(task.Future, state, max(0, seconds - toc(start))) && ok;
                end
            end
        end

        function out = fetchOutputs(job)
            % A row per task, a column per output; an error of a task is raised.
            if ~strcmp(job.State, 'finished')
                error('parallel:job:JobNotFinished', 'wait(job) before its outputs are fetched.');
            end
            out = {};
            for task = job.Tasks
                if ~isempty(task.Error)
                    rethrow(task.Error);
                end
                row = task.OutputArguments;
                out(end + 1, 1:numel(row)) = row(:)';
            end
        end

        function varargout = load(job, varargin)
            % The variables of a script of batch, or those that are named, as variables or a struct.
            if ~job.IsScript
                error('parallel:job:NotAScript', 'load is for scripts; fetchOutputs has the outputs.');
            end
            out = fetchOutputs(job);
            held = out{1};
            if ~isempty(varargin)
                other = setdiff(fieldnames(held), varargin);
                held = rmfield(held, other);
            end
            if nargout
                varargout{1} = held;
            else
                names = fieldnames(held);
                for k = 1:numel(names)
                    assignin('caller', names{k}, held.(names{k}));
                end
            end
        end

        function diary(job, varargin)
            % What its tasks printed.
            for task = job.Tasks
                fprintf('--- Start Diary ---\n%s\n--- End Diary ---\n', task.Diary);
            end
        end

        function cancel(job)
            % Stop its tasks.
            for task = job.Tasks
                cancel(task);
            end
        end

        function disp(job)
            % Its number, state and tasks.
            fprintf('  Job %d (%s) with %d tasks\n', job.ID, job.State, numel(job.Tasks));
        end
    end
end
